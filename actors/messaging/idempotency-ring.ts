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

/** Id prefix of the rows of retried requests: those that had been tried before they ran. */
const RETRIED_ROW = 'retried-'

/**
 * Upper bound on the retried requests, kept beside the last ones: four full mailboxes. A request becomes one if it was under way to a node
 * that fell silent, so they are few; 60 bytes each.
 */
const RETRIED_MAX = 256

/**
 * Id prefix of the rows of requests that came with a client's key. Nodes of earlier versions take them for retried requests, which they do
 * not run again either.
 */
const KEYED_ROW = `${RETRIED_ROW}key-`

/**
 * Upper bound on the requests with a key, kept beside the last ones regardless of age: ten seconds of a client that stores 100 texts a
 * second in one session. Some 400 bytes each, beside the memory that each of them wrote.
 */
const KEYED_MAX = 1_024

/** Number of last requests kept: as many as can wait for one actor (MAILBOX_COMMANDS_MAX). Some 7 KB without their replies. */
const REQUESTS_MAX = 64

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

/** Changed only by the functions below. */
export interface IdempotencyRing {
  /** Last requests, oldest first. Their row id is the number modulo REQUESTS_MAX: a new row overwrites the oldest, and none is removed. */
  readonly slots: Slot[]
  next: number
  /** Retried requests, oldest first: a copy of one may still arrive after the request has left `slots`. */
  readonly retried: AnsweredRequest[]
  nextRetried: number
  /** Requests with a key by `keyedName`, oldest first: their client may send them again after they have left `slots`. */
  readonly keyed: LeanMap<string, AnsweredRequest>
  nextKeyed: number
}

/** Restores the ring from a record's rows of the collection, in any order, or from those that a removed record left. */
export function restoreRing(rows: readonly StoredRow[]): IdempotencyRing {
  const slots = numbered(rows.filter(({ id }) => /^\d+$/.test(id))).map((request) => ({ request, isTelling: isTelling(request) }))
  const retried = numbered(rows.filter(({ id }) => id.startsWith(RETRIED_ROW) && !id.startsWith(KEYED_ROW)))
  const keyed = numbered(rows.filter(({ id }) => id.startsWith(KEYED_ROW)))
  return {
    slots,
    next: (slots.at(-1)?.request.number ?? -1) + 1,
    retried,
    nextRetried: (retried.at(-1)?.number ?? -1) + 1,
    keyed: keyed.reduce((map, request) => map.set(keyedName(request), request), new LeanMap<string, AnsweredRequest>()),
    nextKeyed: (keyed.at(-1)?.number ?? -1) + 1
  }
}

function numbered(rows: readonly StoredRow[]): AnsweredRequest[] {
  return rows.map(({ body }) => body as AnsweredRequest).sort((a, b) => a.number - b.number)
}

/** Returns the noted request of this name, or another one with the same key; undefined if there is none. */
export function findRequest({ slots, retried, keyed }: IdempotencyRing, { requestId, type }: RequestName): AnsweredRequest | undefined {
  const found = keyed.get(keyedName({ requestId, type }))
  // Only `slots` keep answers.
  const id = found?.requestId ?? requestId
  const isIt = (request: AnsweredRequest) => request.requestId === id && request.type === type
  return slots.findLast(({ request }) => isIt(request))?.request ?? found ?? retried.findLast(isIt)
}

function keyedName({ requestId, type }: RequestName): string {
  return `${keyNameOf(requestId)} ${type}`
}

/** Whether one more retried request can be kept for as long as a copy of it may arrive. */
export function hasRoomForRetried({ retried }: IdempotencyRing, now: number): boolean {
  return retried.length < RETRIED_MAX || isOver(retried[0], now)
}

function isOver(request: AnsweredRequest | undefined, now: number): boolean {
  return request !== undefined && now - request.at > RETRIED_S
}

/** Whether a request that is not in `slots`, first tried `triedS` seconds before `now`, may have been there and left. */
export function mayHaveLeft({ slots, next }: IdempotencyRing, { now, triedS }: { readonly now: number; readonly triedS: number }): boolean {
  const oldest = slots[0]
  return oldest !== undefined && next > REQUESTS_MAX && oldest.request.at >= now - triedS - CLOCK_SKEW_S
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
  if (ring.slots.length > REQUESTS_MAX) ring.slots.shift()
  for (const slot of ring.slots) {
    const { request: older } = slot
    if (older.answer === null) continue
    if (older.at >= at - REPLY_S_MAX || older.number >= ring.next - REPLIES_MIN) break
    slot.request = { ...older, answer: null }
  }
  const rows = [rowOf(request)]
  // Without room, a request that says since when it was tried was refused before its step. The others are recognised by their content.
  if (isRetried && hasRoomForRetried(ring, at)) rows.push(noteRetried(ring, { requestId, type, at }))
  if (isKeyed(requestId)) rows.push(noteKeyed(ring, { requestId, type, at }))
  return rows
}

/** Notes a request with a key, without its answer: only `slots` keep answers. */
function noteKeyed(ring: IdempotencyRing, request: RequestName & { readonly at: number }): StoredRow {
  const keyed: AnsweredRequest = { number: ring.nextKeyed, answer: null, ...request }
  ring.nextKeyed += 1
  ring.keyed.set(keyedName(request), keyed)
  dropOldest(ring.keyed, KEYED_MAX)
  return keyedRow(keyed)
}

/** Notes a retried request, without its answer: by the time it is found here, nobody waits for that. */
function noteRetried(ring: IdempotencyRing, request: RequestName & { readonly at: number }): StoredRow {
  const retried: AnsweredRequest = { number: ring.nextRetried, answer: null, ...request }
  ring.nextRetried += 1
  ring.retried.push(retried)
  if (ring.retried.length > RETRIED_MAX) ring.retried.shift()
  return retriedRow(retried)
}

/** Drops the replies that may hold data of a user. That the requests ran stays known. Returns the rows to write. */
export function forgetReplies(ring: IdempotencyRing, erases: Erases): StoredRow[] {
  const telling = ring.slots.filter(({ isTelling, request }) => isTelling && (erases === 'replies' || request.isOwn !== true))
  for (const slot of telling) {
    slot.request = { ...slot.request, answer: null }
    slot.isTelling = false
  }
  return telling.map(({ request }) => rowOf(request))
}

/** Returns all rows of the ring. */
export function ringRows({ slots, retried, keyed }: IdempotencyRing): StoredRow[] {
  return [...slots.map(({ request }) => rowOf(request)), ...retried.map(retriedRow), ...[...keyed.values()].map(keyedRow)]
}

/** Returns the rows that a record leaves on its removal: its requests without replies, but the last one's if it holds no user data. */
export function buriedRows(ring: IdempotencyRing): StoredRow[] {
  const last = ring.slots.at(-1)
  const slots = ring.slots.map((slot) =>
    slot === last && !slot.isTelling ? slot : { ...slot, request: { ...slot.request, answer: null } }
  )
  return ringRows({ ...ring, slots })
}

function retriedRow(request: AnsweredRequest): StoredRow {
  return rowOf(request, RETRIED_ROW, RETRIED_MAX)
}

function keyedRow(request: AnsweredRequest): StoredRow {
  return rowOf(request, KEYED_ROW, KEYED_MAX)
}

function rowOf(request: AnsweredRequest, prefix = '', max = REQUESTS_MAX): StoredRow {
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
