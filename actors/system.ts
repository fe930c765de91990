/** Assembles the actor system of one node: a catalog per kind, the node above them, and the functions to ask actors. */
import type { ActorKind } from '../src/domain/address.js'
import type { StallWatch } from '../src/domain/fairness/stall-watch.js'
import { OPERATIONS_IN_FLIGHT_MAX, SUBJECT_OPERATIONS_MAX } from '../src/domain/limits.js'
import type { ActorStorage, Bus, Cancel, Clock, Counters, Ids, Logger, Tracer } from '../src/ports.js'
import type { Spans } from '../src/spans.js'
import { type Ask, createAsk, createAskActor } from './asking/ask.js'
import { createSharedWork } from './asking/shared-work.js'
import { createRelay } from './messaging/relay.js'
import { handOver, wakeActors } from './messaging/reminders.js'
import { type ActorNode, createNode, type InspectActors } from './node.js'
import { createLoneNode, type Nodes } from './placement/nodes.js'
import { isLoggedMessage } from './placement/received.js'
import { type Catalog, createCatalog } from './runtime/catalog.js'
import type { AnyBehaviour } from './runtime/host.js'
import { type Admission, createAdmission } from './scheduling/admission.js'
import { createLiveSessions, type LiveSessions } from './subject/live-sessions.js'
import type { NodeBudget } from './weight/node-budget.js'

interface ActorSystemOptions {
  readonly storage: ActorStorage
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly tracer: Tracer
  /** Concurrent operations of one subject, from 1; others wait. Default and upper bound: SUBJECT_OPERATIONS_MAX. */
  readonly subjectConcurrency?: number
  readonly counters: Counters
  /** Upper bound on the bytes of one record in memory. */
  readonly recordBytesMax: number
  readonly budget: NodeBudget
  /** Number of live actors of each kind beyond which the least recently used idle one is passivated. At least 1. */
  readonly activeMax: number
  /**
   * Caps of one subject on its live sessions, and on the bytes that its actors hold. Beyond either, its own least recently used idle
   * sessions are passivated. Default 0: no such cap.
   */
  readonly subjectSessionsMax?: number
  readonly subjectBytesMax?: number
  /** Milliseconds without work after which the sweep passivates an actor. */
  readonly idleTtlMs: number
  /** Milliseconds between two sweeps for idle actors. */
  readonly sweepMs: number
  /** Closes what only running commands need, once the last of them has run. */
  readonly workFinished: () => Promise<void>
  /** Called when the supervision tree gave up: the process has to exit with a code other than 0. */
  readonly failed: () => void
  /** Called for each write or verified read that was refused because another writer had taken the record over. */
  readonly fenced: () => void
  /** Default: none, at no cost. */
  readonly inspect?: InspectActors
  /** Watches what each actor works on. Default: none. */
  readonly watch?: StallWatch
  /** Collector of spans. Default: none. */
  readonly spans?: Spans
  /** Whether processes unknown to this one use the same storage. Default: false. */
  readonly sharesStorage?: boolean
  /** Makes this node one of several. Default: a single node. */
  readonly join?: (own: OwnParts) => Nodes
}

/** Parts of this node that its membership among other nodes needs. */
export interface OwnParts {
  readonly admission: Admission
  catalogOf(kind: ActorKind): Catalog
  /** Ends every actor: another node may own it by now. */
  fence(): void
}

/** Creates the behaviours. Their `ask` is for work that was admitted already. */
type MakeBehaviours = (ask: Ask, live: LiveSessions) => readonly AnyBehaviour[]

interface ActorSystem {
  readonly node: ActorNode
  /** This node's view of all nodes. */
  readonly nodes: Nodes
  readonly live: LiveSessions
  /** Asks from outside: passes admission, and counts against the operations in flight. */
  readonly ask: Ask
  /** Asks for work that was admitted already. */
  readonly askInside: Ask
  catalogOf(kind: ActorKind): Catalog
}

/** Creates the actor system of a node, without starting it. */
export function createActorSystem(options: ActorSystemOptions, makeBehaviours: MakeBehaviours): ActorSystem {
  const {
    storage,
    bus,
    clock,
    ids,
    logger,
    tracer,
    counters,
    activeMax,
    idleTtlMs,
    recordBytesMax,
    budget,
    subjectSessionsMax = 0,
    subjectBytesMax = 0
  } = options
  const subjectMax = Math.min(options.subjectConcurrency ?? SUBJECT_OPERATIONS_MAX, SUBJECT_OPERATIONS_MAX)
  const admission = createAdmission({ clock, inFlightMax: OPERATIONS_IN_FLIGHT_MAX, subjectMax })
  const catalogs = new Map<ActorKind, Catalog>()
  const catalogOf = (kind: ActorKind): Catalog => {
    const catalog = catalogs.get(kind)
    if (catalog === undefined) throw new Error('This kind of actor has no catalog')
    return catalog
  }
  const fence = (): void => {
    for (const catalog of catalogs.values()) catalog.fence()
  }
  const nodes = options.join?.({ admission, catalogOf, fence }) ?? createLoneNode(bus)
  // With other writers to the same storage, state in memory may be outdated, and an answer may be lost between nodes.
  const isShared = storage.isDurable && (nodes.membership !== null || options.sharesStorage === true)
  const live = createLiveSessions({ catalog: () => catalogOf('session'), peers: nodes.peers })
  const askPorts = { bus: nodes.asks, ids }
  const askActor = createAskActor({ ...askPorts, isInner: true })
  const askInside = createAsk({ ...askPorts, isInner: true })
  const relay = createRelay({ ask: askActor, clock, logger, log: nodes.outbox })
  let stopTaking: Cancel = () => undefined
  for (const behaviour of makeBehaviours(askInside, live)) catalogs.set(behaviour.kind, createCatalogOf(behaviour))
  let isStopped = true
  const settleIn = createSharedWork(async () => {
    // Without durable storage, actors stay where they are, and none has to be woken.
    if (!storage.isDurable) return
    // Actors that another node owns now are passivated first: their writes would be refused.
    await Promise.all([...catalogs.values()].map((catalog) => catalog.yield()))
    await wakeActors({ storage, ask: askActor, clock, logger, owns: nodes.owns, isStopped: () => isStopped })
  })
  const stopListening = nodes.onChange(() => void (isStopped || settleIn()))
  const node = createNode({
    catalogs: [...catalogs.values()],
    admission,
    membership: nodes.membership,
    bus,
    clock,
    logger,
    tracer,
    sweepMs: options.sweepMs,
    swept: () => storage.sweep(),
    check: () => storage.check(),
    doors: {
      opened: () => {
        isStopped = false
        stopTaking = nodes.outbox?.take(async (body, options) => !isLoggedMessage(body) || relay.take(body, options)) ?? stopTaking
        void settleIn()
      },
      closed: () => {
        isStopped = true
        stopListening()
        stopTaking()
        relay.stop()
      }
    },
    workFinished: async () => {
      const elsewhere = storage.isDurable
        ? []
        : [...catalogs.values()].flatMap((catalog) => catalog.addresses()).filter((address) => !nodes.owns(address))
      await handOver(elsewhere, { ask: askActor, clock })
      await options.workFinished()
    },
    failed: options.failed,
    ...(options.inspect !== undefined && { inspect: options.inspect })
  })
  function createCatalogOf(behaviour: AnyBehaviour): Catalog {
    const caps = {
      ...(subjectSessionsMax > 0 && { subjectActiveMax: subjectSessionsMax }),
      ...(subjectBytesMax > 0 && { subjectBytesMax })
    }
    return createCatalog({
      ...{ behaviour, relay, recordBytesMax, budget, counters, watch: options.watch, spans: options.spans, isLogging: isShared },
      ...{ storage, clock, logger, tracer, admission, activeMax, idleTtlMs },
      ...(behaviour.kind === 'session' && caps),
      owns: nodes.owns,
      fenced: options.fenced,
      verifiesReads: isShared,
      isAwake: nodes.isAwake
    })
  }

  return { node, nodes, live, ask: createAsk(askPorts), askInside, catalogOf }
}
