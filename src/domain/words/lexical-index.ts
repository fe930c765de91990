/** Word search over the memories of one session. */
import type { Pieces } from '../pieces.js'
import { FewDocuments } from './few-documents.js'
import { InvertedIndex } from './inverted-index.js'
import type { WordList } from './word-list.js'
import type { WordScores } from './word-counts.js'
import { rankByWords, type WordSearch } from './word-ranking.js'

/**
 * Few documents are kept as packed words, more as an inverted index; the choice depends only on the current content. Larger changes wait
 * until `settle`. A class rather than closures: every session has one, and per-instance functions would outweigh the data.
 */
export class LexicalIndex {
  private held: FewDocuments | InvertedIndex = new FewDocuments()

  /** Number of documents. */
  size(): number {
    return this.held.size
  }

  /** Approximate bytes of memory, in constant time. */
  bytes(): number {
    return this.held.bytes()
  }

  /** Upper bound on the additional bytes of the present documents once more documents force them into an inverted index. */
  spreadBytes(): number {
    return this.held instanceof FewDocuments ? this.held.spreadBytes() : 0
  }

  /** Adds a document or replaces its words. `document` is a small non-negative integer; callers reuse freed ones. */
  put(document: number, words: WordList): void {
    const { held } = this
    if (held instanceof InvertedIndex) {
      const { size } = held
      held.put(document, words)
      // Only a replacement can leave few enough words to pack.
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

  /** Distinct words of a document in order of first occurrence, at most `limit`; none for an unknown document. */
  terms(document: number, limit: number): readonly string[] {
    return this.held.terms(document, limit)
  }

  /** Words of a document as they were put; none for an unknown document. */
  wordsOf(document: number): WordList {
    return this.held.wordsOf(document)
  }

  /** The pending work of puts and removals; null for none. A search completes it first, in one go. */
  settle(): Pieces<void> | null {
    return this.held instanceof InvertedIndex ? this.held.settle() : null
  }

  /** Scores of documents; see `rankByWords`. Nothing may be put or removed meanwhile. */
  *search(query: ReadonlySet<string>, options: WordSearch = {}): Pieces<WordScores> {
    yield* this.settle() ?? []
    return yield* rankByWords(this.held.postingsFor(query), query, options)
  }
}

function spread(few: FewDocuments): InvertedIndex {
  const index = new InvertedIndex()
  for (const [document, words] of few.entries()) index.put(document, words)
  return index
}
