/** Word search over the memories of one session. */
import { wordsBytes } from './session-weight.js'
import { clearPostings, createPostings, putDocument, removeDocument } from './postings.js'
import type { WeightedTerms } from './word-forms.js'
import { rankByWords, type WordScores, type WordSearch } from './word-ranking.js'

export interface LexicalIndex {
  /** Number of documents. */
  readonly size: number
  /** Bytes of memory, about. In constant time. */
  readonly bytes: number
  /** Adds a document or replaces its words. `document` is a small non-negative integer, reused by the caller when free. */
  put(document: number, terms: readonly string[]): void
  remove(document: number): void
  clear(): void
  /** Distinct words of a document in order of first occurrence; none for an unknown one. */
  terms(document: number): readonly string[]
  search(query: WeightedTerms, options?: WordSearch): WordScores
}

/** An empty index. Removing everything from an index leaves it as a new one. */
export function createLexicalIndex(): LexicalIndex {
  const postings = createPostings()
  return {
    get size() {
      return postings.documents.size
    },
    get bytes() {
      return wordsBytes({ words: postings.byTerm.size, characters: postings.characters, occurrences: postings.occurrences })
    },
    put: (document, terms) => putDocument(postings, document, terms),
    remove: (document) => removeDocument(postings, document),
    clear: () => clearPostings(postings),
    terms: (document) => postings.documents.get(document)?.map((posting) => posting.term) ?? [],
    search: (query, options = {}) => rankByWords(postings, query, options)
  }
}
