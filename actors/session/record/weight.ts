/** What a session takes in memory, and what a command would add to it. */
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Entity, Memory } from '../../../src/domain/session.js'
import { readText, readTextAtOnce } from '../../../src/domain/text/reading.js'
import { plus, sumOf, vectorsWeight, type Weight, weightOf, weightWithout } from '../../../src/domain/weight.js'
import { derivedWeight, indexedWeight, newMemoryWeight, type NewText, searchableWeight } from '../../../src/domain/words/session-weight.js'
import type { StoredRow } from '../../../src/ports.js'
import { ROW_BYTES } from '../../weight/ledger.js'
import type { SessionDocument } from './document.js'
import { ENTITY, MEMORY, PACKED, STATS } from './head.js'
import type { PackedMemories } from './packed-memories.js'
import type { SessionState } from './state.js'
import type { StoredHead } from './stored-head.js'
import type { StoredMemory } from './stored-memory.js'

/** A memory's or entity's row stands for all that it takes, its stats' row included; other rows are held once. */
export function weighRow({ collection, body }: StoredRow): Weight | null {
  if (collection === STATS) return null
  if (collection === MEMORY) return weighMemory(body as StoredMemory)
  if (collection === PACKED) return (body as PackedMemories).weight
  const own = weightOf(body)
  return collection === ENTITY ? plus(own, searchableWeight(body as Entity)) : own
}

function weighMemory(memory: StoredMemory): Weight {
  // Stored words are not held as such: the index has them.
  return plus(weightWithout(memory, 'words'), indexedWeight(memory))
}

/** Of memories in one row: as much as in rows of their own, so that nothing changes when they are packed. */
export function weighMemories(memories: readonly Memory[]): Weight {
  return plus(sumOf(memories.map(weighMemory)), { heap: ROW_BYTES * (memories.length - 1), buffers: 0 })
}

/** Beside the head and the rows. In constant time. */
export function weighDerived({ corpus, topics }: SessionState): Weight {
  return derivedWeight({ wordBytes: corpus.wordBytes(), sumBytes: topics.bytes() })
}

/** Bytes of text and words that a memory takes, of a session whose head does not tell: between a line and a page. */
const MEMORY_TEXT_BYTES = 4_096

/** For heads that were written before sessions were weighed. */
export function weighStored(head: unknown): Weight {
  const { session, memoryCount } = head as StoredHead
  const vectors = vectorsWeight(session.settings.dimension, memoryCount)
  return plus(vectors, vectors, { heap: memoryCount * MEMORY_TEXT_BYTES, buffers: 0 })
}

/** At most what a document takes as a session. */
export function* documentWeight({ memories, ...others }: SessionDocument): Pieces<Weight> {
  const { dimension } = others.head.settings
  let sum = weightOf(others)
  for (const { memory } of memories) {
    const words = yield* readText(memory.text)
    sum = plus(sum, newMemoryWeight(newText(memory.text, memory.partEnds.length, { isRead: true, words }), dimension))
  }
  return sum
}

/** How many distinct words a text has. */
export interface CountedWords {
  readonly counts: { readonly size: number }
}

export interface ReadWords {
  readonly isRead: boolean
  readonly words?: CountedWords | undefined
}

export function newText(text: string, parts: number, { isRead, words }: ReadWords): NewText {
  return isRead ? { text, parts, words: (words ?? readTextAtOnce(text)).counts } : { text, parts }
}
