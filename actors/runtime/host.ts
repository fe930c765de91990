/**
 * Runtime data that is kept in an actor's record beside the state of its behaviour: the idempotency log, the undelivered outbox messages,
 * and the record's weight. A step changes them together with the state; see jobs.ts.
 */
import type { Address } from '../../src/domain/address.js'
import { isWithin } from '../../src/domain/fairness/allowances.js'
import { DomainError } from '../../src/domain/errors.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import { type StallWatch, watched } from '../../src/domain/fairness/stall-watch.js'
import { plus, totalOf, type Weight, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import type { Spans } from '../../src/spans.js'
import type { Clock, Counters, RecordChanges, StoredRecord, StoredRow, WriteToken } from '../../src/ports.js'
import type { Behaviour, InitiateMeta } from '../behaviour/behaviour.js'
import { requireKnownFormat } from '../behaviour/record-format.js'
import type { ActorCommand } from '../behaviour/delivery.js'
import { outcomeUnknown } from '../messaging/idempotency-log.js'
import { type IdempotencyRing, REQUEST, restoreRing, ringRows } from '../messaging/idempotency-ring.js'
import { isSettleMessages, type Messages, messagesIn, OUTBOX } from '../messaging/outbox.js'
import type { Relay } from '../messaging/relay.js'
import { Ledger, weightInHead } from '../weight/ledger.js'
import type { NodeBudget } from '../weight/node-budget.js'
import type { Reservation } from '../weight/reservation.js'
import type { Hold, Room } from '../weight/room.js'

/** A behaviour of any kind: its commands and its state are opaque to the runtime. */
export type AnyBehaviour = Behaviour<unknown, ActorCommand, unknown, unknown>

/** Environment shared by the actors of one kind. */
export interface Host {
  readonly behaviour: AnyBehaviour
  readonly clock: Clock
  /** Delivers the outbox messages of steps. */
  readonly relay: Pick<Relay, 'send' | 'settled' | 'wake' | 'isDelivered'>
  /**
   * Whether other processes write the same records. Then requests without a key are logged too, as an answer may be lost between nodes, and
   * a reply leaves only after storage has confirmed that no other node has taken the record over. Requests that were logged earlier count,
   * and are erased, in either case.
   */
  readonly isShared: boolean
  /** Upper bound on the bytes of one record in memory. */
  readonly recordBytesMax: number
  readonly budget: NodeBudget
  readonly counters: Counters
  /** Watches what each actor works on. */
  readonly watch: StallWatch
  /** Collector of spans. Default: none. */
  readonly spans?: Spans | undefined
}

/** A live actor, apart from its place in storage. */
export interface UnstoredState {
  readonly address: Address
  /** State of the behaviour. */
  readonly state: unknown
  /** Head as of the last step. A commit of the runtime's own, which has no head of the behaviour, writes it again. */
  head: unknown
  readonly requests: IdempotencyRing
  /** Undelivered, by id. */
  readonly messages: Messages
  readonly ledger: Ledger
}

/** A live actor with a record. */
export interface LiveState extends UnstoredState {
  token: WriteToken
}

/** Assumed weight of a record whose head, of an older version, holds no weight. Added to what its behaviour can tell. */
const UNKNOWN: Weight = { heap: 65_536, buffers: 65_536 }

/** Fixed weight of an actor: its machine, its entry, and the fixed part of its state. */
const ACTOR: Weight = { heap: 10_240, buffers: 0 }

/** Brings an actor back from its record. */
export function* restoreLiveState({ behaviour, watch }: Host, address: Address, record: StoredRecord): Pieces<LiveState> {
  requireKnownFormat(record.head)
  const ledger = new Ledger(behaviour.weighRow)
  yield* ledger.fill(record)
  const { own, requests, messages } = yield* parted(record.rows)
  const sizes = { rows: record.rows.length }
  const state = yield* watched({ watch, name: `${behaviour.kind}.restore`, sizes }, behaviour.restore(address, { ...record, rows: own }))
  const { head, token } = record
  return { address, state, head, requests: restoreRing(requests), messages: messagesIn(messages), ledger, token }
}

/** Rows handled in one piece of work: some hundredths of a millisecond. */
const ROWS_A_PIECE = 1_024

/** Separates the rows of the behaviour from those of the runtime. */
function* parted(rows: readonly StoredRow[]): Pieces<Readonly<Record<'own' | 'requests' | 'messages', readonly StoredRow[]>>> {
  const own: StoredRow[] = []
  const requests: StoredRow[] = []
  const messages: StoredRow[] = []
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_A_PIECE === ROWS_A_PIECE - 1) yield
    if (row.collection === REQUEST) requests.push(row)
    else if (row.collection === OUTBOX) messages.push(row)
    else own.push(row)
  }
  return { own, requests, messages }
}

/** Starts a rehydrated actor: calls the behaviour's `activated`, and delivers the messages in its outbox. */
export function startLiveState({ behaviour, relay }: Host, { address, state, messages }: LiveState): void {
  behaviour.activated?.(address, state)
  // The node that had the record before may have sent them.
  void relay.send(address, [...messages.values()], { isRepeated: true })
}

/**
 * Returns the actor that a command creates, and the content of its record before its first step; null if it creates none. `left`: rows that
 * a removed record left, if there was one.
 */
export async function initiateLiveState(
  host: Host,
  command: ActorCommand,
  meta: Omit<InitiateMeta, 'room'>,
  left: readonly StoredRow[] = []
): Promise<{ readonly life: UnstoredState; readonly changes: RecordChanges } | null> {
  const { behaviour, isShared, watch } = host
  const { address } = meta
  if (isSettleMessages(command)) return null
  const initiate = () =>
    behaviour.initiate(address, command, {
      room: roomOf(host, address, null, { hold: null, reservation: host.budget.openReservation(address.subject) }),
      ...meta
    })
  const first = await watch.during(command.type, command, initiate)
  // Without a log, nobody knows whether a repeated request was done before the record was lost.
  if (first === null && meta.triedMs !== undefined && !isShared) throw outcomeUnknown()
  if (first === null) return null
  // The requests of a removed record stay known.
  const requests = restoreRing(left)
  const { state } = first
  const changes = { ...first.changes, put: [...first.changes.put, ...ringRows(requests)] }
  const ledger = new Ledger(behaviour.weighRow)
  inOneGo(ledger.apply(changes))
  const life = { address, state, head: changes.head, requests, messages: messagesIn([]), ledger }
  try {
    refuseWhenFull(host, address, { held: WEIGHTLESS, growth: weightOfLiveState(host, life) })
  } catch (error) {
    behaviour.dispose?.(state)
    throw error
  }
  return { life, changes: sealed(host, life, changes) }
}

/** Completes changes for storage: adds the weight to the head, and whether a starting node has to wake the actor. */
export function sealed(host: Host, life: UnstoredState, changes: RecordChanges): RecordChanges {
  const { heap, buffers } = weightOfLiveState(host, life)
  const wakes = life.messages.size > 0 || host.behaviour.wakes?.(life.state) === true
  const { put, remove, clear, audit } = changes
  // Heads are plain objects, whatever the behaviour.
  const head = { ...(changes.head as object), weight: { heap: Math.ceil(heap), buffers } }
  return { head, put, remove, wakes, ...(clear !== undefined && { clear }), ...(audit !== undefined && { audit }) }
}

/** Weight of a live actor. Constant time. */
export function weightOfLiveState({ behaviour }: Host, { state, ledger }: Pick<LiveState, 'state' | 'ledger'>): Weight {
  return plus(ACTOR, ledger.weight(), behaviour.weigh?.(state) ?? WEIGHTLESS)
}

/** Weight that a record will have in memory, as its stored head tells. */
export function storedWeight({ behaviour }: Pick<Host, 'behaviour'>, head: unknown): Weight {
  return weightInHead(head) ?? plus(UNKNOWN, behaviour.storedWeight?.(head) ?? WEIGHTLESS, weightOf(head))
}

interface Taken {
  readonly hold: Hold | null
  readonly reservation: Reservation
}

/** Returns the memory that a command may take, both for its work and in the record. `life`: null where there is no record yet. */
export function roomOf(host: Host, address: Address, life: UnstoredState | null, { hold, reservation }: Taken): Room {
  const held = (): Weight => (life === null ? WEIGHTLESS : weightOfLiveState(host, life))
  const isWithinRecord = (growth: Weight): boolean => limitOver(host, address, plus(held(), growth)) === null
  return {
    hold: (weight) => hold?.take(weight),
    fits: (growth) => isWithinRecord(growth) && reservation.fits(growth),
    take: (growth) => isWithinRecord(growth) && reservation.tryReserve(growth),
    admit(growth) {
      if (growth.bypassesRecordLimit !== true) refuseWhenFull(host, address, { held: held(), growth })
      if (totalOf(growth) > 0) reservation.admit(growth)
    },
    async reserve(growth) {
      if (growth.bypassesRecordLimit !== true) refuseWhenFull(host, address, { held: held(), growth })
      if (totalOf(growth) > 0) await reservation.reserve(growth)
    },
    of: (collection) => life?.ledger.of(collection) ?? WEIGHTLESS,
    replaced: life?.ledger.weight() ?? WEIGHTLESS
  }
}

/** The limit that a record of this weight would be over, in words; null if none. */
function limitOver({ recordBytesMax, budget }: Host, { subject }: Address, weight: Weight): string | null {
  if (totalOf(weight) > recordBytesMax) return `${String(recordBytesMax)} (SERVICE_MAX_SESSION_BYTES)`
  const most = budget.recordMax(subject)
  if (isWithin(weight, most)) return null
  const [total, heap] = [most.total, most.heap].map(Math.floor)
  return `${String(total)} on this node, of which ${String(heap)} of heap (SERVICE_MEMORY_LIMIT_MB)`
}

function refuseWhenFull(host: Host, address: Address, { held, growth }: { readonly held: Weight; readonly growth: Weight }): void {
  const after = plus(held, growth)
  const limit = totalOf(growth) <= 0 ? null : limitOver(host, address, after)
  if (limit === null) return
  host.counters.count({ name: 'memory_refusal', budget: 'record' })
  const kind = address.kind === 'session' ? 'Session' : `The ${address.kind}`
  const [has, would] = [totalOf(held), totalOf(after)].map(Math.ceil)
  throw new DomainError(
    'record_full',
    `${kind} is full: it takes ${String(has)} bytes of memory, would take up to ${String(would)}, and may take ${limit}`
  )
}
