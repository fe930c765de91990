/** Word search over the memories of one session. */
import { inOneGo, type Pieces } from '../pieces.js'
import { FewDocuments } from './few-documents.js'
import { InvertedIndex } from './inverted-index.js'
import type { WeightedTerms } from './word-forms.js'
import type { WordList } from './word-list.js'
import { rankByWords, type WordScores, type WordSearch } from './word-ranking.js'

export interface LexicalIndex {
  /** Number of documents. */
  size(): number
  /** Bytes of memory, about. In constant time. */
  bytes(): number
  /** At most what the documents that are held take beyond that once there are more of them. */
  spreadBytes(): number
  /** Adds a document or replaces its words. `document` is a small non-negative integer, reused by the caller when free. */
  put(document: number, words: WordList): void
  remove(document: number): void
  clear(): void
  /** Distinct words of a document in order of first occurrence, at most `limit`; none for an unknown one. */
  terms(document: number, limit: number): readonly string[]
  /** The words of a document as they were put; none for an unknown one. */
  wordsOf(document: number): WordList
  /** What is left to do of what was put and removed; null for nothing. A search does it first, in one go. */
  settle(): Pieces<void> | null
  search(query: WeightedTerms, options?: WordSearch): WordScores
  /** The same in pieces, as long as nothing is put or removed. */
  searchInPieces(query: WeightedTerms, options?: WordSearch): Pieces<WordScores>
}

/**
 * An empty index. Of few documents the words are packed, of more there are lists by word; which of the two hangs on what is held alone.
 * Much at once waits until it is settled.
 */
export function createLexicalIndex(): LexicalIndex {
  return new SessionWords()
}

/** A class, because each session has one: functions of its own would weigh more than what they work with. */
class SessionWords implements LexicalIndex {
  private held: FewDocuments | InvertedIndex = new FewDocuments()

  size(): number {
    return this.held.size
  }

  bytes(): number {
    return this.held.bytes()
  }

  spreadBytes(): number {
    return this.held instanceof FewDocuments ? this.held.spreadBytes() : 0
  }

  put(document: number, words: WordList): void {
    const { held } = this
    if (held instanceof InvertedIndex) {
      const { size } = held
      held.put(document, words)
      // Only where it replaces words may fewer be left.
      if (held.size === size) this.held = held.packed() ?? held
      return
    }
    held.remove(document)
    if (!held.takes(document, words)) this.held = spread(held)
    this.held.put(document, words)
  }

  remove(document: number): void {
    const { held } = this
    held.remove(document)
    if (held instanceof InvertedIndex) this.held = held.packed() ?? held
  }

  clear(): void {
    this.held = new FewDocuments()
  }

  terms(document: number, limit: number): readonly string[] {
    return this.held.terms(document, limit)
  }

  wordsOf(document: number): WordList {
    return this.held.wordsOf(document)
  }

  settle(): Pieces<void> | null {
    return this.held instanceof InvertedIndex ? this.held.settle() : null
  }

  search(query: WeightedTerms, options?: WordSearch): WordScores {
    return inOneGo(this.searchInPieces(query, options))
  }

  *searchInPieces(query: WeightedTerms, options: WordSearch = {}): Pieces<WordScores> {
    yield* this.settle() ?? []
    return yield* rankByWords(this.held.postingsFor(query), query, options)
  }
}

function spread(few: FewDocuments): InvertedIndex {
  const index = new InvertedIndex()
  for (const [document, words] of few.entries()) index.put(document, words)
  return index
}
