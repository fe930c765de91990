/** Memory use of the parts of a session beside its rows, except entities. The only place that knows how often each is held. */
import { INDEXED_WORDS_MAX } from '../limits.js'
import type { Memory } from '../session.js'
import { plus, textBytes, vectorsWeight, type Weight } from './weight.js'

/**
 * Bytes of heap per memory, beside the body of its row. Covers its stats, its places by id, label, hash, order, exchange, segment and word
 * index, what its wording says (including a speaker's name of 32 letters), and the count of a data subject of its own. Measured.
 */
const MEMORY_BYTES = 500

/** Upper bound on the row of a new memory beside its text and vectors: names, numbers and its entry in the ledger. Measured. */
const NEW_ROW_BYTES = 1_200

/**
 * Bytes of heap per distinct word of a session, beside its letters: its entry, its list of places and its place among words with the same
 * beginning. Measured.
 */
const WORD_BYTES = 270

/** Bytes of heap per occurrence of a word in a memory: its places in the lists of the word and of the memory. Measured. */
const OCCURRENCE_BYTES = 30

/** Bytes of heap of an empty live session: its maps, indexes and stores. Measured. */
const SESSION_BYTES = 8_000

/** Fewest characters of text per word, including the separator. Scripts without spaces have one word per character. */
const WORD_CHARS_MIN = 1

/** Bytes of indexed words: `words` distinct words of `characters` characters in total, with `occurrences` in memories. */
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

/** Bytes of heap for the packed words of one memory, beside their letters. Measured: 41 to 94, and more only if many words stand twice. */
const PACKED_BYTES = 100

/** Bytes of packed words, as sessions of few memories have them. */
export function packedWordsBytes({ documents, characters }: { readonly documents: number; readonly characters: number }): number {
  return PACKED_BYTES * documents + characters
}

/** Memory use of a session beside its head and rows. */
export function derivedWeight({
  wordBytes,
  sumBytes
}: {
  readonly wordBytes: number
  /** Bytes of the sums of its topic segments. */
  readonly sumBytes: number
}): Weight {
  return { heap: SESSION_BYTES + wordBytes, buffers: sumBytes }
}

/** Bytes of buffers per indexed vector: its similarity to the queries of three searches, in single and double precision. */
const SEARCHED_BYTES = 36

/** Share of a vector's bytes that its rounded copy in the index takes, one byte a number; and approximate padding of its row. */
const ROUNDED_SHARE = 1 / 4
const ROW_END_BYTES = 32

/** Memory use of a memory's row beside its body: rounded vectors, their mean if there are several, and its places in all indexes. */
export function indexedWeight({ vectors, partEnds }: Pick<Memory, 'vectors' | 'partEnds'>): Weight {
  return { heap: MEMORY_BYTES, buffers: indexedBytes(vectors.byteLength, Math.max(1, partEnds.length)) }
}

/** Bytes that the index adds to a text's vectors, which it does not copy. */
function indexedBytes(vectorBytes: number, parts: number): number {
  const mean = parts > 1 ? vectorBytes / parts : 0
  return mean + vectorBytes * ROUNDED_SHARE + parts * (ROW_END_BYTES + SEARCHED_BYTES)
}

/** A text that is about to become a memory. */
export interface NewText {
  readonly text: string
  /** Number of parts, each of which is embedded. */
  readonly parts: number
  /** Its distinct words, if known; else assumed to be as many as its letters could make. */
  readonly words?: { readonly size: number }
}

/** Upper bound on the memory that a text takes as a new memory: none of its words is known yet, and no memory equals it. */
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
