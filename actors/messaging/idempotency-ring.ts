/** Storage of the idempotency log: the last requests that changed an actor's record with their replies, in memory and as rows. */
import { LeanMap } from '../../src/domain/collections/lean-map.js'
import { dropOldest } from '../../src/domain/collections/oldest.js'
import { CLOCK_SKEW_S, RETRIED_S } from '../../src/domain/limits.js'
import { isKeyed, keyNameOf } from '../../src/domain/request-keys.js'
import type { StoredRow } from '../../src/ports.js'
import type { Erases } from '../behaviour/behaviour.js'
import { writtenBytes } from '../behaviour/written-size.js'

/** Name of the row collection. */
export const REQUEST = 'request'

/** A list of requests in rows of its own. The id of a row ends in the request's number modulo `max`: a new row overwrites the oldest. */
interface List {
  /** Of the ids of its rows. */
  readonly prefix: string
  readonly max: number
}

/** As many last requests as can wait for one actor (MAILBOX_COMMANDS_MAX). Some 7 KB without their replies. */
const LAST: List = { prefix: '', max: 64 }

/** A list of requests without their answers, beside the last ones. */
interface NameList extends List {
  nameOf(request: RequestName): string
}

/**
 * Retried requests: those that had been tried before they ran. Four full mailboxes: a request becomes one if it was under way to a node
 * that fell silent, so they are few; 60 bytes each.
 */
const RETRIED: NameList = { prefix: 'retried-', max: 256, nameOf: ({ requestId, type }) => `${requestId} ${type}` }

/**
 * Requests that came with a client's key, regardless of age: ten seconds of a client that stores 100 texts a second in one session. Some
 * 400 bytes each, beside the memory that each of them wrote. Nodes of earlier versions take their rows for those of retried requests, which
 * they do not run again either.
 */
const KEYED: NameList = {
  prefix: `${RETRIED.prefix}key-`,
  max: 1_024,
  nameOf: ({ requestId, type }) => `${keyNameOf(requestId)} ${type}`
}

/** Seconds after which a reply leaves memory: twice the longest deadline, 60 s, within which a request is repeated. */
const REPLY_S_MAX = 120

/** Number of last replies that stay in memory regardless of their age, in case the clocks of the nodes differ. */
const REPLIES_MIN = 8

/** Upper bound on the bytes of a reply that is kept: the longest useful one, of an ingest of 1,000 memories, takes 130,000. */
const REPLY_BYTES_MAX = 256 * 1024

interface RequestName {
  readonly requestId: string
  /** Type of its command: one request may send several commands to one actor. */
  readonly type: string
}

interface AnsweredRequest extends RequestName {
  /** Sequence number among the actor's requests. */
  readonly number: number
  /** Epoch seconds. */
  readonly at: number
  /** Null when the reply is not kept. */
  readonly answer: { readonly reply: unknown } | null
  /** See `StepResult`. Absent in rows of earlier versions, which may hold anything. */
  readonly isOwn?: boolean
}

interface Slot {
  request: AnsweredRequest
  /** Whether the stored row holds a reply with possible data of a user, even when the reply has left memory. */
  isTelling: boolean
}

/** Requests of a `NameList` by name, oldest first, and the number of the next one. */
interface Named {
  readonly requests: LeanMap<string, AnsweredRequest>
  next: number
}

/** Changed only by the functions below. */
export interface IdempotencyRing {
  /** Last requests, oldest first. */
  readonly slots: Slot[]
  next: number
  /** A copy of a retried request may still arrive after the request has left `slots`. */
  readonly retried: Named
  /** A client may send a request with a key again after it has left `slots`. */
  readonly keyed: Named
}

/** Restores the ring from a record's rows of the collection, in any order, or from those that a removed record left. */
export function restoreRing(rows: readonly StoredRow[]): IdempotencyRing {
  const slots = requestsIn(rows, LAST).map((request) => ({ request, isTelling: isTelling(request) }))
  return { slots, next: nextAfter(slots.at(-1)?.request), retried: namedIn(rows, RETRIED), keyed: namedIn(rows, KEYED) }
}

function namedIn(rows: readonly StoredRow[], list: NameList): Named {
  const requests = new LeanMap<string, AnsweredRequest>()
  const found = requestsIn(rows, list)
  for (const request of found) requests.set(list.nameOf(request), request)
  return { requests, next: nextAfter(found.at(-1)) }
}

function requestsIn(rows: readonly StoredRow[], { prefix }: List): AnsweredRequest[] {
  const own = rows.filter(({ id }) => id.startsWith(prefix) && /^\d+$/.test(id.slice(prefix.length)))
  return own.map(({ body }) => body as AnsweredRequest).sort((a, b) => a.number - b.number)
}

function nextAfter(last: AnsweredRequest | undefined): number {
  return last === undefined ? 0 : last.number + 1
}

/** Returns the noted request of this name, or another one with the same key; undefined if there is none. */
export function findRequest({ slots, retried, keyed }: IdempotencyRing, asked: RequestName): AnsweredRequest | undefined {
  const found = keyed.requests.get(KEYED.nameOf(asked))
  // Only `slots` keep answers.
  const { requestId, type } = found ?? asked
  const last = slots.findLast(({ request }) => request.requestId === requestId && request.type === type)
  return last?.request ?? found ?? retried.requests.get(RETRIED.nameOf(asked))
}

/** Whether one more retried request can be kept for as long as a copy of it may arrive. */
export function hasRoomForRetried({ retried }: IdempotencyRing, now: number): boolean {
  if (retried.requests.size < RETRIED.max) return true
  const [oldest] = retried.requests.values()
  return oldest !== undefined && now - oldest.at > RETRIED_S
}

/** Whether a request that is not in `slots`, first tried `triedMs` before `now`, epoch seconds, may have been there and left. */
export function mayHaveLeft(
  { slots, next }: IdempotencyRing,
  { now, triedMs }: { readonly now: number; readonly triedMs: number }
): boolean {
  const oldest = slots[0]
  return oldest !== undefined && next > LAST.max && oldest.request.at >= now - triedMs / 1000 - CLOCK_SKEW_S
}

interface NotedRequest extends RequestName {
  readonly at: number
  readonly reply: unknown
  readonly isOwn?: boolean
  /** Whether another copy of it may be under way. */
  readonly isRetried: boolean
}

/** Notes an answered request in place of the oldest one. Drops old replies from memory. Returns the rows to write. */
export function noteRequest(ring: IdempotencyRing, { requestId, type, at, reply, isOwn = false, isRetried }: NotedRequest): StoredRow[] {
  const answer = writtenBytes(reply) <= REPLY_BYTES_MAX ? { reply } : null
  const request: AnsweredRequest = { requestId, type, number: ring.next, at, answer, ...(isOwn && { isOwn }) }
  ring.next += 1
  ring.slots.push({ request, isTelling: isTelling(request) })
  if (ring.slots.length > LAST.max) ring.slots.shift()
  for (const slot of ring.slots) {
    const { request: older } = slot
    if (older.answer === null) continue
    if (older.at >= at - REPLY_S_MAX || older.number >= ring.next - REPLIES_MIN) break
    slot.request = { ...older, answer: null }
  }
  const rows = [rowOf(LAST, request)]
  // Without room, a request that says since when it was tried was refused before its step. The others are recognised by their content.
  if (isRetried && hasRoomForRetried(ring, at)) rows.push(noteName(ring.retried, RETRIED, { requestId, type, at }))
  if (isKeyed(requestId)) rows.push(noteName(ring.keyed, KEYED, { requestId, type, at }))
  return rows
}

/** Notes a request without its answer: `slots` keep that of one with a key, and nobody waits for that of a retried one any more. */
function noteName(named: Named, list: NameList, request: RequestName & { readonly at: number }): StoredRow {
  const noted: AnsweredRequest = { number: named.next, answer: null, ...request }
  named.next += 1
  named.requests.set(list.nameOf(request), noted)
  dropOldest(named.requests, list.max)
  return rowOf(list, noted)
}

/** Drops the replies that may hold data of a user. That the requests ran stays known. Returns the rows to write. */
export function forgetReplies(ring: IdempotencyRing, erases: Erases): StoredRow[] {
  const telling = ring.slots.filter(({ isTelling, request }) => isTelling && (erases === 'replies' || request.isOwn !== true))
  for (const slot of telling) {
    slot.request = { ...slot.request, answer: null }
    slot.isTelling = false
  }
  return telling.map(({ request }) => rowOf(LAST, request))
}

/** Returns all rows of the ring. */
export function ringRows({ slots, retried, keyed }: IdempotencyRing): StoredRow[] {
  const last = slots.map(({ request }) => request)
  return [...rowsOf(LAST, last), ...rowsOf(RETRIED, retried.requests.values()), ...rowsOf(KEYED, keyed.requests.values())]
}

function rowsOf(list: List, requests: Iterable<AnsweredRequest>): StoredRow[] {
  return Array.from(requests, (request) => rowOf(list, request))
}

/** Returns the rows that a record leaves on its removal: its requests without replies, but the last one's if it holds no user data. */
export function buriedRows(ring: IdempotencyRing): StoredRow[] {
  const last = ring.slots.at(-1)
  const slots = ring.slots.map((slot) =>
    slot === last && !slot.isTelling ? slot : { ...slot, request: { ...slot.request, answer: null } }
  )
  return ringRows({ ...ring, slots })
}

function rowOf({ prefix, max }: List, request: AnsweredRequest): StoredRow {
  return { collection: REQUEST, id: `${prefix}${String(request.number % max)}`, body: request }
}

/**
 * Whether a reply may hold data of a user. An object of numbers and booleans only, such as the answer to an outbox message, does not. Lists
 * and vectors may.
 */
function isTelling({ answer }: AnsweredRequest): boolean {
  const reply = answer?.reply ?? {}
  return Array.isArray(reply) || ArrayBuffer.isView(reply) || !Object.values(reply).every(isScalar)
}

function isScalar(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean'
}
