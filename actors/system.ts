/** The actors of one node put together: a catalog a kind, the node over them, and the ways to ask them. */
import type { ActorKind } from '../src/domain/address.js'
import type { StallWatch } from '../src/domain/stall-watch.js'
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

export interface ActorSystemOptions {
  readonly storage: ActorStorage
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly tracer: Tracer
  /** Operations of one subject at a time, from 1: the rest waits. Never more than SUBJECT_OPERATIONS_MAX, the default. */
  readonly subjectConcurrency?: number
  readonly counters: Counters
  /** Bytes that one record may take in memory. */
  readonly recordBytesMax: number
  readonly budget: NodeBudget
  /** Live actors of each kind beyond which the least recently used idle one is passivated. At least 1. */
  readonly activeMax: number
  /**
   * Live sessions of one subject, and bytes that its actors hold, beyond which its own least recently used idle sessions are passivated;
   * default 0: no such cap.
   */
  readonly subjectSessionsMax?: number
  readonly subjectBytesMax?: number
  /** Milliseconds without work after which the sweep passivates an actor. */
  readonly idleTtlMs: number
  /** Milliseconds between two sweeps for idle actors. */
  readonly sweepMs: number
  /** Closes what only running commands need, when the last of them has run. */
  readonly workFinished: () => Promise<void>
  /** Called when the tree gave up: the process has to end with a code other than 0. */
  readonly failed: () => void
  /** Called for each write or verified read that was refused because another writer had taken the record over. */
  readonly fenced: () => void
  /** Default: nobody looks, and it costs nothing. */
  readonly inspect?: InspectActors
  /** Is told what each actor works at. Default: nobody is. */
  readonly watch?: StallWatch
  /** Default: nobody collects. */
  readonly spans?: Spans
  /** Whether processes that this one knows nothing of use the same storage. Default: none does. */
  readonly sharesStorage?: boolean
  /** Makes this node one of several; default: it is alone. */
  readonly join?: (own: OwnParts) => Nodes
}

/** What a node is found by and counted with. */
export interface OwnParts {
  readonly admission: Admission
  catalogOf(kind: ActorKind): Catalog
  /** Gives up every actor: another node may own it by now. */
  fence(): void
}

/** What behaviours are made with: they ask in the course of work that was let in already. */
export type MakeBehaviours = (ask: Ask, live: LiveSessions) => readonly AnyBehaviour[]

export interface ActorSystem {
  readonly node: ActorNode
  /** This node among the others. */
  readonly nodes: Nodes
  readonly live: LiveSessions
  /** For those outside: counted against the operations in flight. */
  readonly ask: Ask
  /** For work that was let in already. */
  readonly askInside: Ask
  catalogOf(kind: ActorKind): Catalog
}

/** Not yet started. */
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
  // Others write to the same storage: what is in memory may be overtaken, and an answer may be lost on its way.
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
    // What nothing keeps stays where it is, and nothing of it waits to be woken.
    if (!storage.isDurable) return
    // What another node runs from now on is put away first: it would only be refused its writes.
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
    swept: () => storage.clearTombstones(),
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
