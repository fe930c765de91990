/** A memory's row: the memory, and the words of its text where they were at hand when it was written. */
import type { Memory } from '../../../src/domain/session.js'
import type { Words } from '../../../src/domain/text/reading.js'
import { fromStoredWords, type StoredWords, toStoredWords } from '../../../src/domain/words/stored-words.js'

export interface StoredMemory extends Memory {
  /** Absent: the text is read when the session comes back. */
  readonly words?: StoredWords
}

export function toStoredMemory(memory: Memory, words: Words | undefined): StoredMemory {
  return words === undefined ? memory : { ...memory, words: toStoredWords(words) }
}

/** `words` is null where the text has to be read. */
export function fromStoredMemory({ words, ...memory }: StoredMemory): { readonly memory: Memory; readonly words: Words | null } {
  return { memory, words: words === undefined ? null : fromStoredWords(words) }
}
