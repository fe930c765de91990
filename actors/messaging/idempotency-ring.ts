/** The last requests that changed an actor's record, and what they were answered: in memory, and as rows of that record. */
import { LeanMap } from '../../src/domain/lean-map.js'
import { CLOCK_SKEW_S, RETRIED_S } from '../../src/domain/limits.js'
import { isKeyed, keyNameOf } from '../../src/domain/request-keys.js'
import type { StoredRow } from '../../src/ports.js'
import type { Erases } from '../behaviour/behaviour.js'
import { writtenBytes } from '../behaviour/written-size.js'

/** Name of the row collection. */
export const REQUEST = 'request'

/** Id of the row that says which request made the record; the others are numbered. */
const ORIGIN_ROW = 'origin'

/** Ids of rows of requests that were carried out when they had been tried before; the others are numbered. */
const RETRIED_ROW = 'retried-'

/**
 * Such requests that are remembered beside the last ones: four full mailboxes. There is one for each that was under way to a node when that
 * one fell silent, so they are few, and 60 bytes each.
 */
const RETRIED_MAX = 256

/**
 * Ids of rows of requests that came with a key of their client; the others are numbered. To nodes of before they are requests that were
 * tried before, which they run no more than these.
 */
const KEYED_ROW = `${RETRIED_ROW}key-`

/**
 * Such requests that are remembered beside the last ones, however old: ten seconds of a client that stores 100 texts a second in one
 * session. Some 400 bytes each, beside the memory that each of them wrote.
 */
const KEYED_MAX = 1_024

/** Requests that are remembered: as many as wait for one actor at the same time (MAILBOX_COMMANDS_MAX), some 7 KB without their replies. */
const REQUESTS_MAX = 64

/** Seconds after which a reply leaves memory: twice the longest deadline, 60 s, within which a request is repeated. */
const REPLY_S_MAX = 120

/** Replies that stay in memory whatever the clocks of the nodes say. */
const REPLIES_MIN = 8

/** Bytes of a reply that is kept: the longest useful one, of an ingest of 1,000 memories, takes 130,000. */
const REPLY_BYTES_MAX = 256 * 1024

interface RequestName {
  readonly requestId: string
  /** Of its command. One request may ask one actor several things. */
  readonly type: string
}

export interface AnsweredRequest extends RequestName {
  /** Grows by one with each request of the actor. */
  readonly number: number
  /** Epoch seconds. */
  readonly at: number
  /** Null when the reply is not kept. */
  readonly answer: { readonly reply: unknown } | null
  /** See `StepResult`. Absent in rows of before, which may hold anything. */
  readonly isOwn?: boolean
}

interface Slot {
  request: AnsweredRequest
  /** Whether the stored row has a reply that may hold something of a user, also when memory has it no more. */
  isTelling: boolean
}

/** Changed by the functions below only. */
export interface IdempotencyRing {
  /** The request that made the record; null when it is not known. */
  readonly origin: RequestName | null
  /** By row: a request's number modulo REQUESTS_MAX. So a new row replaces the oldest, and none needs removing. */
  readonly slots: Slot[]
  next: number
  /**
   * Carried out when they had been tried before, by their rows' numbers, oldest first: a copy may arrive when they have left the others.
   */
  readonly retried: AnsweredRequest[]
  nextRetried: number
  /** Came with a key, oldest first, by what `keyedName` says: their client may send them again when they have left the others. */
  readonly keyed: LeanMap<string, AnsweredRequest>
  nextKeyed: number
}

/** The ring of a stored record, from its rows of the collection in any order. */
export function restoreRing(rows: readonly StoredRow[]): IdempotencyRing {
  const origin = rows.find(({ id }) => id === ORIGIN_ROW)?.body as RequestName | undefined
  const slots = numbered(rows.filter(({ id }) => /^\d+$/.test(id))).map((request) => ({ request, isTelling: isTelling(request) }))
  const retried = numbered(rows.filter(({ id }) => id.startsWith(RETRIED_ROW) && !id.startsWith(KEYED_ROW)))
  const keyed = numbered(rows.filter(({ id }) => id.startsWith(KEYED_ROW)))
  return {
    origin: origin ?? null,
    slots,
    next: (slots.at(-1)?.request.number ?? -1) + 1,
    retried,
    nextRetried: (retried.at(-1)?.number ?? -1) + 1,
    keyed: keyed.reduce((map, request) => map.set(keyedName(request), request), new LeanMap<string, AnsweredRequest>()),
    nextKeyed: (keyed.at(-1)?.number ?? -1) + 1
  }
}

/**
 * The ring of a record that is made where one was removed: the request that made that one, and what it was asked, stay known. `rows` are
 * those of `buriedRows`; `origin` is the request that makes the new one.
 */
export function inheritRing(rows: readonly StoredRow[], origin: RequestName | null): IdempotencyRing {
  return { ...restoreRing(rows), origin }
}

function numbered(rows: readonly StoredRow[]): AnsweredRequest[] {
  return rows.map(({ body }) => body as AnsweredRequest).sort((a, b) => a.number - b.number)
}

/** What became of a request, or of another one with its key, if it is known. */
export function findRequest({ slots, retried, keyed }: IdempotencyRing, { requestId, type }: RequestName): AnsweredRequest | undefined {
  const found = keyed.get(keyedName({ requestId, type }))
  // Its answer is with the last ones.
  const id = found?.requestId ?? requestId
  const isIt = (request: AnsweredRequest) => request.requestId === id && request.type === type
  return slots.findLast(({ request }) => isIt(request))?.request ?? found ?? retried.findLast(isIt)
}

function keyedName({ requestId, type }: RequestName): string {
  return `${keyNameOf(requestId)} ${type}`
}

/** Whether one more request that was tried before can be remembered for as long as a copy of it may arrive. */
export function hasRoomForRetried({ retried }: IdempotencyRing, now: number): boolean {
  return retried.length < RETRIED_MAX || isOver(retried[0], now)
}

function isOver(request: AnsweredRequest | undefined, now: number): boolean {
  return request !== undefined && now - request.at > RETRIED_S
}

/** Whether a request that is not among the last may have been, when its first try came `triedS` seconds before `now`. */
export function mayHaveLeft({ slots, next }: IdempotencyRing, { now, triedS }: { readonly now: number; readonly triedS: number }): boolean {
  const oldest = slots[0]
  return oldest !== undefined && next > REQUESTS_MAX && oldest.request.at >= now - triedS - CLOCK_SKEW_S
}

/** Whether the request is the one that made the record. */
export function isOrigin({ origin }: IdempotencyRing, { requestId, type }: RequestName): boolean {
  return origin?.requestId === requestId && origin.type === type
}

interface NotedRequest extends RequestName {
  readonly at: number
  readonly reply: unknown
  readonly isOwn?: boolean
  /** Whether another copy of it may be under way. */
  readonly isRetried: boolean
}

/** Takes an answered request in, in the place of the oldest, and returns its rows. Older replies leave memory. */
export function noteRequest(ring: IdempotencyRing, { requestId, type, at, reply, isOwn = false, isRetried }: NotedRequest): StoredRow[] {
  const answer = writtenBytes(reply) <= REPLY_BYTES_MAX ? { reply } : null
  const request: AnsweredRequest = { requestId, type, number: ring.next, at, answer, ...(isOwn && { isOwn }) }
  ring.next += 1
  ring.slots.push({ request, isTelling: isTelling(request) })
  if (ring.slots.length > REQUESTS_MAX) ring.slots.shift()
  for (const slot of ring.slots) {
    const { request: older } = slot
    if (older.answer === null) continue
    if (older.at >= at - REPLY_S_MAX || older.number >= ring.next - REPLIES_MIN) break
    slot.request = { ...older, answer: null }
  }
  const rows = [rowOf(request)]
  // Without room, one that says how long it was tried was refused before its step, and the others are known by what they say.
  if (isRetried && hasRoomForRetried(ring, at)) rows.push(noteRetried(ring, { requestId, type, at }))
  if (isKeyed(requestId)) rows.push(noteKeyed(ring, { requestId, type, at }))
  return rows
}

/** Without its answer, which only the last ones have. */
function noteKeyed(ring: IdempotencyRing, request: RequestName & { readonly at: number }): StoredRow {
  const keyed: AnsweredRequest = { number: ring.nextKeyed, answer: null, ...request }
  ring.nextKeyed += 1
  ring.keyed.set(keyedName(request), keyed)
  const [oldest] = ring.keyed.keys()
  if (ring.keyed.size > KEYED_MAX && oldest !== undefined) ring.keyed.delete(oldest)
  return keyedRow(keyed)
}

/** Without its answer: nobody waits for that any more when it is found here. */
function noteRetried(ring: IdempotencyRing, request: RequestName & { readonly at: number }): StoredRow {
  const retried: AnsweredRequest = { number: ring.nextRetried, answer: null, ...request }
  ring.nextRetried += 1
  ring.retried.push(retried)
  if (ring.retried.length > RETRIED_MAX) ring.retried.shift()
  return retriedRow(retried)
}

/** Forgets those replies that may hold something of a user. That the requests ran stays known. Returns the rows to write. */
export function forgetReplies(ring: IdempotencyRing, erases: Erases): StoredRow[] {
  const telling = ring.slots.filter(({ isTelling, request }) => isTelling && (erases === 'replies' || request.isOwn !== true))
  for (const slot of telling) {
    slot.request = { ...slot.request, answer: null }
    slot.isTelling = false
  }
  return telling.map(({ request }) => rowOf(request))
}

/** Every row of the ring. */
export function ringRows({ origin, slots, retried, keyed }: IdempotencyRing): StoredRow[] {
  const made = origin === null ? [] : [originRow(origin)]
  return [...made, ...slots.map(({ request }) => rowOf(request)), ...retried.map(retriedRow), ...[...keyed.values()].map(keyedRow)]
}

/** What the record leaves that is removed now: which requests there were, and nothing of what they were answered, but for the last. */
export function buriedRows(ring: IdempotencyRing, now: number): StoredRow[] {
  const last = ring.slots.at(-1)
  if (ring.origin !== null) {
    noteRetried(ring, { at: now, ...ring.origin })
    if (isKeyed(ring.origin.requestId) && !ring.keyed.has(keyedName(ring.origin))) noteKeyed(ring, { at: now, ...ring.origin })
  }
  const slots = ring.slots.map((slot) =>
    slot === last && !slot.isTelling ? slot : { ...slot, request: { ...slot.request, answer: null } }
  )
  return ringRows({ ...ring, origin: null, slots })
}

function originRow({ requestId, type }: RequestName): StoredRow {
  return { collection: REQUEST, id: ORIGIN_ROW, body: { requestId, type } }
}

function retriedRow(request: AnsweredRequest): StoredRow {
  return { collection: REQUEST, id: `${RETRIED_ROW}${String(request.number % RETRIED_MAX)}`, body: request }
}

function keyedRow(request: AnsweredRequest): StoredRow {
  return { collection: REQUEST, id: `${KEYED_ROW}${String(request.number % KEYED_MAX)}`, body: request }
}

function rowOf(request: AnsweredRequest): StoredRow {
  return { collection: REQUEST, id: String(request.number % REQUESTS_MAX), body: request }
}

/**
 * A handful of numbers and truth values tells nothing of anybody. Such are the answers to outbox messages, which are sent until they are
 * answered. A list or a vector is no handful.
 */
function isTelling({ answer }: AnsweredRequest): boolean {
  const reply = answer?.reply ?? {}
  return Array.isArray(reply) || ArrayBuffer.isView(reply) || !Object.values(reply).every(isScalar)
}

function isScalar(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean'
}
