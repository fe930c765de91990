/** Word search over the memories of one session. */
import { inOneGo, type Pieces } from '../pieces.js'
import { createBacklog } from './index-backlog.js'
import { clearPostings, createPostings, wordsOf } from './postings.js'
import { wordsBytes } from './session-weight.js'
import type { WeightedTerms } from './word-forms.js'
import type { WordList } from './word-list.js'
import { rankByWords, type WordScores, type WordSearch } from './word-ranking.js'

export interface LexicalIndex {
  /** Number of documents. */
  size(): number
  /** Bytes of memory, about. In constant time. */
  bytes(): number
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

/** An empty index. Removing everything from an index leaves it as a new one. Much at once waits until it is settled. */
export function createLexicalIndex(): LexicalIndex {
  return new InvertedIndex()
}

/** A class, because each session has one: functions of its own would weigh more than what they work with. */
class InvertedIndex implements LexicalIndex {
  private readonly postings = createPostings()
  private readonly backlog = createBacklog(this.postings)

  size(): number {
    return this.postings.size + this.backlog.added()
  }

  bytes(): number {
    const { byTerm, characters, occurrences } = this.postings
    return wordsBytes({ words: byTerm.size, characters, occurrences }) + this.backlog.bytes()
  }

  put(document: number, words: WordList): void {
    this.backlog.put(document, words)
  }

  remove(document: number): void {
    this.backlog.remove(document)
  }

  clear(): void {
    this.backlog.clear()
    clearPostings(this.postings)
  }

  terms(document: number, limit: number): readonly string[] {
    const waiting = this.backlog.wordsOf(document)
    if (waiting !== undefined) return waiting.terms.slice(0, limit)
    return (this.postings.documents[document] ?? []).slice(0, limit).map((posting) => posting.term)
  }

  wordsOf(document: number): WordList {
    return this.backlog.wordsOf(document) ?? wordsOf(this.postings, document)
  }

  settle(): Pieces<void> | null {
    return this.backlog.settle()
  }

  search(query: WeightedTerms, options?: WordSearch): WordScores {
    return inOneGo(this.searchInPieces(query, options))
  }

  *searchInPieces(query: WeightedTerms, options: WordSearch = {}): Pieces<WordScores> {
    yield* this.backlog.settle() ?? []
    return yield* rankByWords(this.postings, query, options)
  }
}
