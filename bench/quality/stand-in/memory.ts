import type { MemoryEntry } from '../../../src/domain/session.js'

/** A plain memory of one part, as old as its number says. */
export function memoryOf(seq: number, text: string, vectors: Float32Array): MemoryEntry {
  return {
    memory: {
      id: `m${seq}`,
      seq,
      hash: `hash of ${text}`,
      text,
      role: 'user',
      userId: null,
      timestamp: seq,
      turn: seq,
      replyTo: [],
      baseTier: 'short_term',
      expiresAt: null,
      partEnds: [text.length],
      vectors
    },
    stats: { importance: 0.6, accessCount: 0, accessedAt: 0, isProtected: false, segment: 0 }
  }
}
