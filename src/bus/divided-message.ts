/**
 * Packs and unpacks messages with long lists in small pieces of work: the message without the lists comes first, then their items, a few at
 * a time. In one piece, a session of 100,000 memories blocks the event loops of both nodes for two seconds each.
 */
import type { Pieces } from '../domain/pieces.js'
import { decodeMessage, encodeMessage } from './message-codec.js'

/** Items that are packed or unpacked at once: takes less than a millisecond for usual memories. */
const ITEMS_A_PIECE = 16

/** Longest list, in items, that is left in the message. */
const WHOLE_ITEMS_MAX = 64

/** Depth to which lists are searched for. In replies the memories of a session lie three levels deep. */
const DEPTH_MAX = 6

/** Bytes of the length that precedes each frame. */
const LENGTH_BYTES = 4

type Path = readonly (string | number)[]

interface LongList {
  readonly path: Path
  readonly items: readonly unknown[]
}

interface DividedMessage {
  /** The message with each long list replaced by an empty one. */
  readonly skeleton: unknown
  readonly lists: readonly LongList[]
}

/** Entry of the first frame for one list. */
interface ListPlace {
  readonly path: Path
  readonly length: number
}

/** Returns null for a message without a long list of objects. */
export function divide(body: unknown): DividedMessage | null {
  // Hardly any message has one. Looking for it takes less than a fifth of copying the message.
  if (!hasLongList(body, 0)) return null
  const lists: LongList[] = []
  return { skeleton: without(body, [], lists), lists }
}

/**
 * Encodes the message as frames, each preceded by its length: first the skeleton, then the items of its lists in order. `takes` is called
 * with the bytes of each frame of items.
 */
export function* packDivided({ skeleton, lists }: DividedMessage, takes: (bytes: number) => void = () => undefined): Pieces<Uint8Array> {
  const places: ListPlace[] = lists.map(({ path, items }) => ({ path, length: items.length }))
  const frames = [encodeMessage({ skeleton, lists: places })]
  for (const { items } of lists) {
    for (let at = 0; at < items.length; at += ITEMS_A_PIECE) {
      const frame = encodeMessage(items.slice(at, at + ITEMS_A_PIECE))
      takes(frame.length)
      frames.push(frame)
      yield
    }
  }
  const data = new Uint8Array(frames.reduce((sum, frame) => sum + LENGTH_BYTES + frame.length, 0))
  const view = new DataView(data.buffer)
  let at = 0
  for (const frame of frames) {
    view.setUint32(at, frame.length)
    data.set(frame, at + LENGTH_BYTES)
    at += LENGTH_BYTES + frame.length
    yield
  }
  return data
}

/** Inverse of `packDivided`. Throws for bytes that are no message. */
export function* unpackDivided(data: Uint8Array): Pieces<unknown> {
  const frames = framesOf(data)
  const { skeleton, lists } = toFirst(next(frames))
  for (const { path, length } of lists) {
    const list = emptyListAt(skeleton, path)
    while (list.length < length) {
      const items = next(frames)
      if (!Array.isArray(items) || items.length === 0 || list.length + items.length > length) throw nobodys()
      for (const item of items as unknown[]) list.push(item)
      yield
    }
  }
  if (frames.next().done !== true) throw nobodys()
  return skeleton
}

/** Whether `without` would take a list out. */
function hasLongList(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return false
  if (Array.isArray(value)) {
    const items = value as readonly unknown[]
    if (items.length > WHOLE_ITEMS_MAX) return isOfObjects(items)
    return items.some((item) => hasLongList(item, depth + 1))
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const name in value) if (hasLongList((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return true
  return false
}

function without(value: unknown, path: Path, lists: LongList[]): unknown {
  if (typeof value !== 'object' || value === null || path.length > DEPTH_MAX) return value
  if (Array.isArray(value)) {
    const items = value as readonly unknown[]
    if (items.length <= WHOLE_ITEMS_MAX) return items.map((item, at) => without(item, [...path, at], lists))
    if (!isOfObjects(items)) return items
    lists.push({ path, items })
    return []
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, without(field, [...path, name], lists)]))
}

function isOfObjects([first]: readonly unknown[]): boolean {
  return typeof first === 'object' && first !== null
}

function* framesOf(data: Uint8Array): Generator<unknown, void> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 0; at < data.length;) {
    const from = at + LENGTH_BYTES
    at = from <= data.length ? from + view.getUint32(at) : Infinity
    if (at > data.length) throw nobodys()
    yield decodeMessage(data.subarray(from, at))
  }
}

function next(frames: Generator<unknown, void>): unknown {
  const frame = frames.next()
  if (frame.done === true) throw nobodys()
  return frame.value
}

function toFirst(value: unknown): { readonly skeleton: unknown; readonly lists: readonly ListPlace[] } {
  const { skeleton, lists } = (value ?? {}) as { readonly skeleton?: unknown; readonly lists?: unknown }
  if (!Array.isArray(lists) || !lists.every(isPlace)) throw nobodys()
  return { skeleton, lists }
}

function isPlace(value: unknown): value is ListPlace {
  const { path, length } = (value ?? {}) as Partial<ListPlace>
  return Array.isArray(path) && path.length <= DEPTH_MAX && Number.isSafeInteger(length)
}

/** Returns the list to fill. Only an empty list that the skeleton itself holds is accepted. */
function emptyListAt(skeleton: unknown, path: Path): unknown[] {
  let value = skeleton
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) throw nobodys()
    value = (value as Readonly<Record<string | number, unknown>>)[name]
  }
  if (!Array.isArray(value) || value.length > 0) throw nobodys()
  return value as unknown[]
}

function nobodys(): TypeError {
  return new TypeError('No node sends this')
}
