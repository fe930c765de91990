import type { Memory, MemoryEntry, MemoryStats } from '../../src/domain/session.js'
import { lexicalVector } from '../../src/domain/words/lexical-features.js'
import { Corpus } from '../../src/retrieval/corpus.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'

export const DIMENSION = 256
/** Default timestamp of memories, in epoch seconds. */
export const NOON = 1_700_000_000

/** A simple memory of one part; its hash stands for its text. */
export function memoryEntry(seq: number, text: string, own: Partial<Memory> = {}, stats: Partial<MemoryStats> = {}): MemoryEntry {
  return {
    memory: {
      id: `m${seq}`,
      seq,
      hash: `hash of ${text}`,
      text,
      role: 'user',
      userId: null,
      timestamp: NOON,
      turn: seq,
      replyTo: [],
      baseTier: 'short_term',
      expiresAt: null,
      partEnds: [text.length],
      vectors: lexicalVector(text, DIMENSION),
      ...own
    },
    stats: { importance: 0.6, accessCount: 0, accessedAt: NOON, isProtected: false, segment: 0, ...stats }
  }
}

/** Concatenated vectors of a text's parts. */
export function partVectors(...parts: readonly string[]): Float32Array {
  return Float32Array.from(parts.flatMap((part) => [...lexicalVector(part, DIMENSION)]))
}

export function corpusOf(...entries: readonly MemoryEntry[]): Corpus {
  const corpus = new Corpus({ dimension: DIMENSION, createVectorIndex: createExactIndexes() })
  for (const entry of entries) corpus.put(entry)
  return corpus
}
