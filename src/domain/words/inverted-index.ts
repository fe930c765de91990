/** Inverted index of many documents: from each word to the documents that hold it. Larger changes wait in a backlog until `settle`. */
import type { Pieces } from '../pieces.js'
import { FEW_DOCUMENTS_MAX, FewDocuments } from './few-documents.js'
import { Backlog } from './index-backlog.js'
import { createPostings, type Postings, wordAt, wordsOf } from './postings.js'
import { wordsBytes } from '../fairness/session-weight.js'
import type { WordList } from './word-list.js'

/** A class rather than closures: many sessions have one, and per-instance functions would outweigh the data. */
export class InvertedIndex {
  private readonly postings = createPostings()
  private readonly backlog = new Backlog(this.postings)

  get size(): number {
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

  terms(document: number, limit: number): readonly string[] {
    const waiting = this.backlog.wordsOf(document)
    if (waiting !== undefined) return waiting.terms.slice(0, limit)
    const count = Math.min(limit, this.postings.documents.count(document))
    const terms: string[] = []
    for (let at = 0; at < count; at++) terms.push(wordAt(this.postings, document, at).term)
    return terms
  }

  wordsOf(document: number): WordList {
    return this.backlog.wordsOf(document) ?? wordsOf(this.postings, document)
  }

  settle(): Pieces<void> | null {
    return this.backlog.settle()
  }

  /** The postings. Call it only once everything is settled. */
  postingsFor(): Postings {
    return this.postings
  }

  /** Packed form of the same documents, without a backlog; null when they are not few. */
  packed(): FewDocuments | null {
    if (this.size > FEW_DOCUMENTS_MAX) return null
    const few = new FewDocuments()
    for (const document of this.documents()) {
      const words = this.wordsOf(document)
      if (!few.takes(document, words)) return null
      few.put(document, words)
    }
    return few
  }

  private *documents(): Generator<number, void> {
    const { documents } = this.postings
    for (let document = 0; document < documents.bound; document++)
      if (documents.has(document) && !this.backlog.isGoing(document)) yield document
    yield* this.backlog.coming()
  }
}
