/** Row of a memory: the memory, and the words of its text where they were known when it was written. */
import type { Memory } from '../../../src/domain/session.js'
import type { Words } from '../../../src/domain/text/reading.js'
import { fromStoredWords, type StoredWords, toStoredWords } from '../../../src/domain/words/stored-words.js'
import type { WordList } from '../../../src/domain/words/word-list.js'

export interface StoredMemory extends Memory {
  /** Absent: the text is read again on rehydration. */
  readonly words?: StoredWords
}

export function toStoredMemory(memory: Memory, words: Words | undefined): StoredMemory {
  return words === undefined ? memory : { words: toStoredWords(words), ...memory }
}

/** Shared empty `replyTo` of memories that answer nothing. */
export const NO_QUESTIONS: readonly string[] = []

/** Restores a memory. `words` is null where the text has to be read. `id`: that of the row, so that row and memory share one string. */
export function fromStoredMemory(id: string, stored: StoredMemory): { readonly memory: Memory; readonly words: WordList | null } {
  // Field by field: a rest pattern, an object without one of its fields, is slower to create and larger.
  const { seq, hash, text, role, userId, timestamp, turn, replyTo, baseTier, expiresAt, partEnds, vectors, isPending, words } = stored
  const answered = replyTo.length === 0 ? NO_QUESTIONS : replyTo
  const memory = { id, seq, hash, text, role, userId, timestamp, turn, replyTo: answered, baseTier, expiresAt, partEnds, vectors }
  return { memory: isPending ? { ...memory, isPending } : memory, words: words === undefined ? null : fromStoredWords(words) }
}
