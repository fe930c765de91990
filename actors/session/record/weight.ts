/** Weights of a session's parts in memory. */
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Entity, HeldInput, Memory } from '../../../src/domain/session.js'
import { readText, readTextAtOnce } from '../../../src/domain/text/reading.js'
import { minus, plus, sumOf, vectorsWeight, type Weight, WEIGHTLESS, weightOf, weightWithout } from '../../../src/domain/fairness/weight.js'
import { derivedWeight, indexedWeight, newMemoryWeight, type NewText } from '../../../src/domain/fairness/session-weight.js'
import { searchableWeight } from '../../../src/domain/words/entity-search.js'
import type { StoredRow } from '../../../src/ports.js'
import { ROW_BYTES } from '../../weight/ledger.js'
import type { SessionDocument } from './document.js'
import { ENTITY, MEMORY, PACKED, STATS } from './head.js'
import type { PackedMemories } from './packed-memories.js'
import type { SessionState } from './state.js'
import type { StoredHead } from './stored-head.js'
import type { StoredMemory } from './stored-memory.js'

/** Weighs a row. The row of a memory or an entity counts for all that it takes, indexes and stats row included; other rows count once. */
export function weighRow({ collection, body }: StoredRow): Weight | null {
  if (collection === STATS) return null
  if (collection === MEMORY) return weighMemory(body as StoredMemory)
  if (collection === PACKED) return (body as PackedMemories).weight
  const own = weightOf(body)
  return collection === ENTITY ? plus(own, searchableWeight(body as Entity)) : own
}

function weighMemory(memory: StoredMemory): Weight {
  // Stored words are not kept in memory as such: the index holds them.
  return plus(weightWithout(memory, 'words'), indexedWeight(memory))
}

/** Weighs memories in one row: as much as in rows of their own, so that packing them changes nothing. */
export function weighMemories(memories: readonly Memory[]): Weight {
  return plus(sumOf(memories.map(weighMemory)), { heap: ROW_BYTES * (memories.length - 1), buffers: 0 })
}

/** Weighs the state beside its head and rows. Constant time. */
export function weighDerived({ corpus, topics }: SessionState): Weight {
  return derivedWeight({ wordBytes: corpus.wordBytes(), sumBytes: topics.bytes() })
}

/** Assumed bytes of text and words per memory where the head tells no weight: between a line and a page. */
const MEMORY_TEXT_BYTES = 4_096

/** Estimates the weight of a session from a head of a version that did not weigh sessions. */
export function weighStored(head: unknown): Weight {
  const { session, memoryCount } = head as StoredHead
  const vectors = vectorsWeight(session.settings.dimension, memoryCount)
  return plus(vectors, vectors, { heap: memoryCount * MEMORY_TEXT_BYTES, buffers: 0 })
}

/** Upper bound on the weight of a document as a session. */
export function* documentWeight({ memories, ...others }: SessionDocument): Pieces<Weight> {
  const { dimension } = others.head.settings
  let sum = weightOf(others)
  for (const { memory } of memories) {
    const words = yield* readText(memory.text)
    sum = plus(sum, newMemoryWeight(newText(memory.text, memory.partEnds.length, { isRead: true, words }), dimension))
  }
  return sum
}

/** Distinct words of a text, by their number. */
interface CountedWords {
  readonly counts: { readonly size: number }
}

interface ReadWords {
  readonly isRead: boolean
  readonly words?: CountedWords | undefined
}

function newText(text: string, parts: number, { isRead, words }: ReadWords): NewText {
  return isRead ? { text, parts, words: (words ?? readTextAtOnce(text)).counts } : { text, parts }
}

/** What is known of a text of a command before its step: its parts, and its words where they have been read. */
export interface KnownText {
  readonly partEnds: readonly number[]
  readonly words?: CountedWords | undefined
}

/** A session that a command is about to enlarge, and what is known of the command's texts. */
export interface Growing {
  readonly state: SessionState
  /** By text. */
  readonly texts: ReadonlyMap<string, KnownText>
  /** False: a text counts as many words as its letters could form, and is not looked up, so that every text counts as new. */
  readonly isRead: boolean
}

/** Upper bound on a small row: names, numbers, and its map entries. */
export const ROW: Weight = { heap: 600, buffers: 0 }

/** Weight of one vector of the session. */
export function vectorWeight({ head }: SessionState): Weight {
  return vectorsWeight(head.settings.dimension, 1)
}

/** Upper bound on a new memory with this text. */
export function memoryWeight({ state, texts, isRead }: Growing, text: string): Weight {
  const known = texts.get(text)
  return newMemoryWeight(newText(text, known?.partEnds.length ?? 1, { isRead, words: known?.words }), state.head.settings.dimension)
}

/** Upper bound on the growth when a held input is admitted: it has its text and vectors already, index and words are added. */
export function heldWeight({ texts, isRead }: Growing, { text, partEnds, vectors }: HeldInput): Weight {
  const read = { isRead, words: texts.get(text)?.words }
  return minus(newMemoryWeight(newText(text, partEnds.length, read), vectors.length / partEnds.length), weightOf({ text, vectors }))
}

export function entityWeight(entity: Pick<Entity, 'key' | 'value' | 'context'> | undefined): Weight {
  return entity === undefined ? WEIGHTLESS : plus(ROW, weightOf({ ...entity }), searchableWeight(entity))
}
