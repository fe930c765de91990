/** The actors of one node put together: a catalog a kind, the node over them, and the ways to ask them. */
import { createAdmission } from './admission.js'
import { createAsk, createAskActor, type Ask } from './ask.js'
import type { Behaviour } from './behaviour.js'
import { createCatalog, type Catalog } from './catalog.js'
import type { ActorCommand } from './delivery.js'
import { createNode, type ActorNode, type InspectActors } from './node.js'
import { withOutbox } from './outbox.js'
import { createRelay } from './relay.js'
import { wakeActors } from './wake.js'
import type { ActorKind } from '../src/domain/address.js'
import { OPERATIONS_IN_FLIGHT_MAX } from '../src/domain/limits.js'
import type { ActorStorage, Bus, Clock, Ids, Logger, Tracer } from '../src/ports.js'

export interface ActorSystemOptions {
  readonly storage: ActorStorage
  readonly bus: Bus
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly tracer: Tracer
  /** Live actors of each kind beyond which the least recently used idle one is passivated. At least 1. */
  readonly activeMax: number
  /** Milliseconds without work after which the sweep passivates an actor. */
  readonly idleTtlMs: number
  /** Milliseconds between two sweeps for idle actors. */
  readonly sweepMs: number
  /** Closes what only running commands need, when the last of them has run. */
  readonly workFinished: () => Promise<void>
  /** Called when the tree gave up: the process has to end with a code other than 0. */
  readonly failed: () => void
  /** Default: nobody looks, and it costs nothing. */
  readonly inspect?: InspectActors
}

/** What behaviours are made with: they ask in the course of work that was let in already. */
export type MakeBehaviours = (ask: Ask, catalogOf: (kind: ActorKind) => Catalog) => readonly AnyBehaviour[]

/** Each behaviour knows its own commands and state; what runs it only hands them back. */
type AnyBehaviour = Behaviour<unknown, ActorCommand, unknown, unknown>

export interface ActorSystem {
  readonly node: ActorNode
  /** For those outside: counted against the operations in flight. */
  readonly ask: Ask
  /** For work that was let in already. */
  readonly askInside: Ask
  catalogOf(kind: ActorKind): Catalog
}

/** Not yet started. */
export function createActorSystem(options: ActorSystemOptions, makeBehaviours: MakeBehaviours): ActorSystem {
  const { storage, bus, clock, ids, logger, tracer, activeMax, idleTtlMs } = options
  const admission = createAdmission({ inFlightMax: OPERATIONS_IN_FLIGHT_MAX })
  const askActor = createAskActor({ bus, ids, isInner: true })
  const askInside = createAsk({ bus, ids, isInner: true })
  const relay = createRelay({ ask: askActor, clock, logger })
  const catalogs = new Map<ActorKind, Catalog>()
  const catalogOf = (kind: ActorKind): Catalog => {
    const catalog = catalogs.get(kind)
    if (catalog === undefined) throw new Error('This kind of actor has no catalog')
    return catalog
  }
  for (const behaviour of makeBehaviours(askInside, catalogOf)) {
    catalogs.set(behaviour.kind, createCatalog({ behaviour: withOutbox(behaviour, relay), storage, clock, logger, tracer, admission, activeMax, idleTtlMs }))
  }
  let isStopped = false
  const node = createNode({
    catalogs: [...catalogs.values()],
    admission,
    bus,
    clock,
    logger,
    tracer,
    sweepMs: options.sweepMs,
    check: () => storage.check(),
    doors: {
      opened: () => void (storage.isDurable && wakeActors({ storage, ask: askActor, clock, logger, isStopped: () => isStopped })),
      closed: () => {
        isStopped = true
        relay.stop()
      },
    },
    workFinished: options.workFinished,
    failed: options.failed,
    ...(options.inspect !== undefined && { inspect: options.inspect }),
  })
  return { node, ask: createAsk({ bus, ids }), askInside, catalogOf }
}
