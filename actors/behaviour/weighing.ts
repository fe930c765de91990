/** Gives a behaviour's records a weight: kept up with every step, written into the head, and held to the budget of one record. */
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import { plus, totalOf, type Weight, WEIGHTLESS, weightOf } from '../../src/domain/weight.js'
import type { Counters, RecordChanges } from '../../src/ports.js'
import { createLedger, type Ledger } from '../weight/ledger.js'
import type { NodeBudget } from '../weight/node-budget.js'
import type { Hold, Room } from '../weight/room.js'
import type { Behaviour, StepResult } from './behaviour.js'
import type { ActorCommand } from './delivery.js'
import { chartWithin } from './state-chart.js'
import { stepOf } from './stepping.js'

export interface WeighingOptions {
  /** Bytes of one record in memory. */
  readonly recordBytesMax: number
  readonly budget: NodeBudget
  readonly counters: Counters
}

interface Weighed<State> {
  readonly address: Address
  readonly inner: State
  readonly ledger: Ledger
}

/** A stored head, as of the version that began to weigh. */
interface WeighedHead {
  readonly weight?: Weight
}

/** Bytes of a record that nobody has weighed, as an old head says nothing of it: beside what its behaviour can tell. */
const UNKNOWN: Weight = { heap: 65_536, buffers: 65_536 }

/** The machine of an actor, its entry, and what is there of every state. */
const ACTOR: Weight = { heap: 16_384, buffers: 0 }

/** The behaviour, with records that know what they weigh. Outermost: what is logged and posted weighs too. */
export function withWeight<State, Command extends ActorCommand, Prepared, Reply>(
  behaviour: Behaviour<State, Command, Prepared, Reply>,
  options: WeighingOptions
): Behaviour<Weighed<State>, Command, Prepared, Reply> {
  const { recordBytesMax, budget, counters } = options
  const weigh = ({ inner, ledger }: Weighed<State>): Weight => plus(ACTOR, ledger.weight, behaviour.weigh?.(inner) ?? WEIGHTLESS)

  function refuseWhenFull(address: Address, held: Weight, growth: Weight): void {
    if (totalOf(growth) <= 0 || totalOf(held) + totalOf(growth) <= recordBytesMax) return
    counters.count({ name: 'memory_refusal', budget: 'record' })
    const kind = address.kind === 'session' ? 'Session' : `The ${address.kind}`
    const [has, would] = [totalOf(held), totalOf(held) + totalOf(growth)].map(Math.ceil)
    throw new DomainError(
      'record_full',
      `${kind} is full: it takes ${String(has)} bytes of memory, would take up to ${String(would)}, and may take ${String(recordBytesMax)} (SERVICE_MAX_SESSION_BYTES)`
    )
  }

  /** `weighed` is null where there is no record yet. */
  function roomIn(address: Address, weighed: Weighed<State> | null, hold: Hold | null): Room {
    const { subject } = address
    const held = (): Weight => (weighed === null ? WEIGHTLESS : weigh(weighed))
    return {
      hold: (weight) => hold?.take(weight),
      fits: (growth) => totalOf(held()) + totalOf(growth) <= recordBytesMax && budget.fits(growth),
      admit(growth) {
        if (growth.isTold !== true) refuseWhenFull(address, held(), growth)
        if (totalOf(growth) > 0) budget.admit(growth, subject)
      },
      async makeWay(growth) {
        if (growth.isTold !== true) refuseWhenFull(address, held(), growth)
        if (totalOf(growth) > 0) await budget.makeWay(growth, subject)
      },
      of: (collection) => weighed?.ledger.of(collection) ?? WEIGHTLESS,
      replaced: weighed?.ledger.weight ?? WEIGHTLESS
    }
  }

  function* stepInPieces(
    ...[weighed, command, prepared, meta]: Parameters<Behaviour<Weighed<State>, Command, Prepared, Reply>['step']>
  ): Pieces<StepResult<Reply>> {
    const { inner, ledger } = weighed
    const result = yield* stepOf(behaviour, [inner, command, prepared, meta])
    if (result.changes === null) return result
    budget.letGo(weighed.address, ledger.apply(result.changes))
    return { ...result, changes: withHeadWeight(result.changes, weigh(weighed)) }
  }

  return {
    kind: behaviour.kind,
    *restore(address, record) {
      const ledger = createLedger(behaviour.weighRow)
      yield* ledger.fill(record)
      return { address, inner: yield* behaviour.restore(address, record), ledger }
    },
    activated: (address, { inner }) => behaviour.activated?.(address, inner),
    async initiate(address, command, meta) {
      const first = await behaviour.initiate(address, command, { ...meta, room: roomIn(address, null, null) })
      if (first === null) return null
      const ledger = createLedger(behaviour.weighRow)
      ledger.apply(first.changes)
      const weighed = { address, inner: first.state, ledger }
      try {
        refuseWhenFull(address, WEIGHTLESS, weigh(weighed))
      } catch (error) {
        behaviour.dispose?.(first.state)
        throw error
      }
      return { state: weighed, changes: withHeadWeight(first.changes, weigh(weighed)) }
    },
    missing: behaviour.missing,
    prepare: ({ inner }, command, signal, requestId, room) => behaviour.prepare(inner, command, signal, requestId, room),
    settle: ({ inner }, next) => behaviour.settle?.(inner, next) ?? null,
    step: (...step) => inOneGo(stepInPieces(...step)),
    stepInPieces,
    weigh,
    roomOf: (weighed, hold) => roomIn(weighed.address, weighed, hold),
    storedWeight: (head) => weightInHead(head) ?? plus(UNKNOWN, behaviour.storedWeight?.(head) ?? WEIGHTLESS, weightOf(head)),
    dispose: ({ inner }) => behaviour.dispose?.(inner),
    wakes: ({ inner }) => behaviour.wakes?.(inner) === true,
    sizeOf: ({ inner }) => behaviour.sizeOf?.(inner) ?? null,
    ...chartWithin(behaviour.chart),
    describe: ({ inner }) => behaviour.describe?.(inner) ?? {},
    isPinned: (weighed) => behaviour.isPinned?.(weighed?.inner ?? null) === true,
    reminders: (now) => behaviour.reminders?.(now) ?? []
  }
}

/** What a record weighed at its last commit, by its stored head; undefined where it was not weighed then. */
export function weightInHead(head: unknown): Weight | undefined {
  return (head as WeighedHead | null)?.weight
}

/** Heads are plain objects, whatever the behaviour. */
function withHeadWeight(changes: RecordChanges, { heap, buffers }: Weight): RecordChanges {
  return { ...changes, head: { ...(changes.head as object), weight: { heap: Math.ceil(heap), buffers } } }
}
