import type { MemoryEntry } from '../../../src/domain/session.js'
import { readTextAtOnce } from '../../../src/domain/text/reading.js'
import { newImportance } from '../../../src/domain/words/importance.js'

/** A memory of one part whose age follows from its number: a plain turn, or one with a fired trigger. */
export function memoryOf(seq: number, text: string, vectors: Float32Array, isTriggered = false): MemoryEntry {
  const importance = newImportance({ reading: readTextAtOnce(text), isTriggered, isolationShare: 1 })
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
    stats: { importance, accessCount: 0, accessedAt: 0, isProtected: false, segment: 0 }
  }
}
