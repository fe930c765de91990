/** What the parts of a session take in memory beside their rows: the one place that knows how often each is held. */
import { ENTITY_WORDS_MAX, INDEXED_WORDS_MAX } from '../limits.js'
import type { Entity, Memory } from '../session.js'
import { plus, textBytes, vectorsWeight, type Weight } from '../weight.js'
import { searchedText } from './entity-search.js'

/**
 * Bytes of heap for one memory, beside its row's body: its stats, and its places by id, label, hash, order, exchange, segment and word
 * index, measured; and what its wording says of it, a speaker's name of 32 letters included, and the count of a data subject of its own.
 */
const MEMORY_BYTES = 500

/** At most what the row of a new memory takes beside its text and vectors: names and numbers, and its place in the ledger. Measured. */
const NEW_ROW_BYTES = 1_200

/**
 * Bytes of heap for one word that a session has, beside its letters: its entry, its list of places, and its place among those that begin
 * alike. Measured.
 */
const WORD_BYTES = 270

/** Bytes of heap for one occurrence of a word in a memory: its places in the lists of the word and of the memory. Measured. */
const OCCURRENCE_BYTES = 30

/** Bytes of heap for a live session without anything: its maps, indexes and stores. Measured. */
const SESSION_BYTES = 8_000

/** Fewest characters of text for one word: itself and what parts it from the next. Scripts without spaces have one a character. */
const WORD_CHARS_MIN = 1

/** Of words in an index, by how many there are, how many characters they have, and how often they stand in memories. */
export function wordsBytes({
  words,
  characters,
  occurrences
}: {
  readonly words: number
  readonly characters: number
  readonly occurrences: number
}): number {
  return WORD_BYTES * words + characters + OCCURRENCE_BYTES * occurrences
}

/** Bytes of heap for the words of one memory where they are packed, beside their letters. Measured: 156 to 206. */
const PACKED_BYTES = 200

/** The same of words that are packed, as those of few memories are. */
export function packedWordsBytes({ documents, characters }: { readonly documents: number; readonly characters: number }): number {
  return PACKED_BYTES * documents + characters
}

/** What a session takes beside its head and rows. */
export function derivedWeight({
  wordBytes,
  sumBytes
}: {
  readonly wordBytes: number
  /** Of its topic segments. */
  readonly sumBytes: number
}): Weight {
  return { heap: SESSION_BYTES + wordBytes, buffers: sumBytes }
}

/** Bytes of buffers for one vector in the index: its similarity to the queries of three searches, in single and in double precision. */
const SEARCHED_BYTES = 36

/** Bytes of a vector's numbers in the index, where each is rounded to one byte; and about what fills up its row. */
const ROUNDED_SHARE = 1 / 4
const ROW_END_BYTES = 32

/** What a memory's row takes beside its body: its vectors rounded, their mean where they are several, and its places in all indexes. */
export function indexedWeight({ vectors, partEnds }: Pick<Memory, 'vectors' | 'partEnds'>): Weight {
  return { heap: MEMORY_BYTES, buffers: indexedBytes(vectors.byteLength, Math.max(1, partEnds.length)) }
}

/** Of a text's vectors, which the index does not copy. */
function indexedBytes(vectorBytes: number, parts: number): number {
  const mean = parts > 1 ? vectorBytes / parts : 0
  return mean + vectorBytes * ROUNDED_SHARE + parts * (ROW_END_BYTES + SEARCHED_BYTES)
}

/** Bytes of heap of one word that an entity is found by, and fewest characters for one, its stem counted as another. Measured: 46 to 50. */
const ENTITY_WORD_BYTES = 50
const ENTITY_WORD_CHARS = 2

/** At most what an entity takes beside its row: the words that it is found by, which lie in a copy of the text that they stand in. */
export function searchableWeight(entity: Pick<Entity, 'key' | 'value' | 'context'>): Weight {
  const text = searchedText(entity)
  const words = Math.min(ENTITY_WORDS_MAX, Math.ceil(text.length / ENTITY_WORD_CHARS)) + Math.ceil(entity.key.length / ENTITY_WORD_CHARS)
  return { heap: textBytes(text) + textBytes(entity.key) + words * ENTITY_WORD_BYTES, buffers: 0 }
}

/** One text that is about to become a memory. */
export interface NewText {
  readonly text: string
  /** Parts that are embedded. */
  readonly parts: number
  /** Its distinct words, where they are known; else as many as its letters could make. */
  readonly words?: { readonly size: number }
}

/** At most what a text takes as a memory: no word of it is known yet, and no memory is like it. */
export function newMemoryWeight({ text, parts, words }: NewText, dimension: number): Weight {
  const vectors = vectorsWeight(dimension, parts)
  const count = words?.size ?? Math.min(INDEXED_WORDS_MAX, Math.ceil(text.length / WORD_CHARS_MIN))
  const wordBytes = wordsBytes({ words: count, characters: 2 * text.length, occurrences: count })
  const packedBytes = packedWordsBytes({ documents: 1, characters: 0 })
  return plus(
    vectors,
    { heap: 0, buffers: indexedBytes(vectors.buffers, parts) },
    { heap: NEW_ROW_BYTES + MEMORY_BYTES + textBytes(text) + Math.max(wordBytes, packedBytes), buffers: 0 }
  )
}
