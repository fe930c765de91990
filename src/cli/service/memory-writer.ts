/** Writes memories into sessions in batches, and creates missing sessions. */
import type { Engram } from '../../client/engram.js'
import { isEngramError } from '../../client/engram-error.js'
import { INGEST_MEMORIES_MAX } from '../../domain/limits.js'
import type { ImportedMemory } from '../importing/formats.js'
import { PATIENT } from './connection.js'

type GivenMemory = Omit<ImportedMemory, 'conversation'>

export interface MemoryWriter {
  /** Returns how many memories were new, and how many the session held already. */
  write(session: string, memories: readonly GivenMemory[]): Promise<{ readonly stored: number; readonly known: number }>
}

/** Maximum characters of the texts in one request: well below the default limit of a body, 4 MiB, even at 3 bytes each. */
const REQUEST_CHARACTERS = 512 * 1024

export function createMemoryWriter(engram: Engram, signal: AbortSignal): MemoryWriter {
  const made = new Set<string>()

  async function make(session: string): Promise<void> {
    if (made.has(session)) return
    await engram.sessions.create({ session_id: session }, { signal }).catch((error: unknown) => {
      // The session exists already.
      if (!(isEngramError(error) && error.kind === 'conflict')) throw error
    })
    made.add(session)
  }
  return {
    async write(session, memories) {
      await make(session)
      const counts = { stored: 0, known: 0 }
      for (const batch of batchesOf(memories)) {
        const given = batch.map(({ text, role, userId, timestamp }) => ({
          ...{ text, role, user_id: userId },
          ...(timestamp !== null && { timestamp })
        }))
        const { stored, updated } = await engram.session(session).memories.add(given, { ...PATIENT, signal })
        counts.stored += stored
        counts.known += updated
      }
      return counts
    }
  }
}

function* batchesOf(memories: readonly GivenMemory[]): Generator<GivenMemory[]> {
  let batch: GivenMemory[] = []
  let characters = 0
  for (const memory of memories) {
    const isFull = batch.length === INGEST_MEMORIES_MAX || characters + memory.text.length > REQUEST_CHARACTERS
    if (isFull && batch.length > 0) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(memory)
    characters += memory.text.length
  }
  if (batch.length > 0) yield batch
}
