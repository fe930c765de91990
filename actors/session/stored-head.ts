/** A session's head as it is stored: with what a listing wants to know, so that it need not load the session. */
import type { SessionHead, SessionState } from './state.js'

interface StoredHead extends SessionHead {
  /** Memories held, the expired ones included that no commit has removed yet. */
  readonly memoryCount: number
  /** Epoch seconds at which the first of them expires; null when none does. */
  readonly expiresNext: number | null
}

export interface StoredSummary {
  readonly modelName: string
  readonly totalMemories: number
  /** Epoch seconds; from then on `totalMemories` is too high. */
  readonly expiresNext: number | null
  /** Epoch seconds. */
  readonly lastActiveAt: number
}

/** The head for a commit. */
export function toStoredHead({ head, corpus, expiring }: SessionState): StoredHead {
  let expiresNext: number | null = null
  for (const id of expiring) {
    const expiresAt = corpus.get(id)?.memory.expiresAt ?? null
    if (expiresAt !== null && (expiresNext === null || expiresAt < expiresNext)) expiresNext = expiresAt
  }
  return { ...head, memoryCount: corpus.size, expiresNext }
}

/** The head of a record, as a session knows it. */
export function fromStoredHead(stored: unknown): SessionHead {
  const { memoryCount: _count, expiresNext: _next, ...head } = stored as StoredHead
  return head
}

/** What a record's head says of its session. */
export function readSummary(stored: unknown): StoredSummary {
  const { settings, memoryCount, expiresNext, lastActiveAt } = stored as StoredHead
  return { modelName: settings.modelName, totalMemories: memoryCount, expiresNext, lastActiveAt }
}
