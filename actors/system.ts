/** Assembles the actor system of one node: a catalog per kind, the node above them, and the functions to ask actors. */
import type { ActorKind } from '../src/domain/address.js'
import { OPERATIONS_IN_FLIGHT_MAX, SUBJECT_OPERATIONS_MAX } from '../src/domain/limits.js'
import type { Cancel, Ids } from '../src/ports.js'
import { type Ask, createAsk, createAskActor } from './asking/ask.js'
import { createSharedWork } from './asking/shared-work.js'
import { createRelay } from './messaging/relay.js'
import { handOver, wakeActors } from './messaging/reminders.js'
import { createNode, type NodeOptions } from './node.js'
import { createLoneNode, type Nodes } from './placement/nodes.js'
import { isLoggedMessage } from './placement/received.js'
import { type Catalog, createCatalog } from './runtime/catalog.js'
import type { CatalogOptions } from './runtime/actors.js'
import type { AnyBehaviour } from './runtime/host.js'
import { type Admission, createAdmission } from './scheduling/admission.js'
import { createLiveSessions, type LiveSessions } from './subject/live-sessions.js'

interface ActorSystemOptions
  extends
    Omit<CatalogOptions, 'behaviour' | 'relay' | 'admission' | 'isShared' | 'owns' | 'isAwake' | 'subjectActiveMax'>,
    Pick<NodeOptions, 'bus' | 'sweepMs' | 'workFinished' | 'failed' | 'inspect'> {
  readonly ids: Ids
  /** Concurrent operations of one subject, from 1; others wait. Default and upper bound: SUBJECT_OPERATIONS_MAX. */
  readonly subjectConcurrency?: number
  /** Cap of one subject on its live sessions; the cap on its bytes passivates sessions too. Default 0: no such cap. */
  readonly subjectSessionsMax?: number
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

/** Creates the actor system of a node, without starting it. */
export function createActorSystem(options: ActorSystemOptions, makeBehaviours: MakeBehaviours) {
  const { storage, bus, clock, ids, logger, tracer, subjectSessionsMax = 0, subjectBytesMax = 0 } = options
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
    inspect: options.inspect
  })
  function createCatalogOf(behaviour: AnyBehaviour): Catalog {
    const isCapped = behaviour.kind === 'session'
    return createCatalog({
      ...options,
      ...{ behaviour, relay, admission, isShared, owns: nodes.owns, isAwake: nodes.isAwake },
      subjectActiveMax: isCapped ? subjectSessionsMax : 0,
      subjectBytesMax: isCapped ? subjectBytesMax : 0
    })
  }

  /** Asks from outside: passes admission, and counts against the operations in flight. */
  const ask = createAsk(askPorts)
  return { node, nodes, live, ask, catalogOf }
}
