/** A memory's row: the memory, and the words of its text where they were at hand when it was written. */
import type { Memory } from '../../../src/domain/session.js'
import type { Words } from '../../../src/domain/text/reading.js'
import { fromStoredWords, type StoredWords, toStoredWords } from '../../../src/domain/words/stored-words.js'
import type { WordList } from '../../../src/domain/words/word-list.js'

export interface StoredMemory extends Memory {
  /** Absent: the text is read when the session comes back. */
  readonly words?: StoredWords
}

export function toStoredMemory(memory: Memory, words: Words | undefined): StoredMemory {
  return words === undefined ? memory : { words: toStoredWords(words), ...memory }
}

/** What most memories answer: one list for all. */
export const NO_QUESTIONS: readonly string[] = []

/** `words` is null where the text has to be read. `id` is that of its row, so that the same text stands for both. */
export function fromStoredMemory(id: string, stored: StoredMemory): { readonly memory: Memory; readonly words: WordList | null } {
  // Field by field: what is left of an object without one of its fields is slower to make, and larger.
  const { seq, hash, text, role, userId, timestamp, turn, replyTo, baseTier, expiresAt, partEnds, vectors, isPending, words } = stored
  const answered = replyTo.length === 0 ? NO_QUESTIONS : replyTo
  const memory = { id, seq, hash, text, role, userId, timestamp, turn, replyTo: answered, baseTier, expiresAt, partEnds, vectors }
  return { memory: isPending ? { ...memory, isPending } : memory, words: words === undefined ? null : fromStoredWords(words) }
}
