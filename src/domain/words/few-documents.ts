/** The words of a few documents in packed form: an inverted index would take several times the memory of their texts. */
import { LeanMap } from '../collections/lean-map.js'
import { BEGINNING_LENGTH } from './alike-words.js'
import { addDocumentAtOnce, createPostings, type Postings } from './postings.js'
import { packedWordsBytes, wordsBytes } from '../fairness/session-weight.js'
import { NO_WORDS, type WordList } from './word-list.js'

/** Limits that let a search unpack everything in some hundredths of a millisecond: documents, words of all of them, and their letters. */
export const FEW_DOCUMENTS_MAX = 32
const WORDS_MAX = 512
const LETTERS_MAX = 8_192
/** Document numbers must be below this, so that a search never sizes its arrays for many absent documents. */
const NUMBER_MAX = 1_024

interface Packed {
  /** Separated by spaces; no word contains one. */
  readonly terms: string
  /** Pairs of index and count, for the words that occur more than once. */
  readonly repeated: readonly number[]
  readonly words: number
  readonly length: number
}

const NEVER_REPEATED: readonly number[] = []

/** A class rather than closures: every session has one, and per-instance functions would outweigh the data. */
export class FewDocuments {
  private readonly documents = new LeanMap<number, Packed>()
  private words = 0
  private letters = 0

  get size(): number {
    return this.documents.size
  }

  /** Approximate bytes of memory. */
  bytes(): number {
    return packedWordsBytes({ documents: this.documents.size, characters: this.letters })
  }

  /** Upper bound on the additional bytes of an inverted index of the same documents, if each word occurs in one document only. */
  spreadBytes(): number {
    const { words } = this
    return Math.max(0, wordsBytes({ words, characters: this.letters, occurrences: words }) - this.bytes())
  }

  /** Whether a new document fits within the limits. */
  takes(document: number, { terms }: WordList): boolean {
    return (
      document < NUMBER_MAX &&
      this.documents.size < FEW_DOCUMENTS_MAX &&
      this.words + terms.length <= WORDS_MAX &&
      this.letters + lettersOf(terms) <= LETTERS_MAX
    )
  }

  /** Adds a document, which must not be present. */
  put(document: number, { terms, counts, length }: WordList): void {
    const repeated = counts.flatMap((count, at) => (count > 1 ? [at, count] : []))
    const packed = {
      terms: terms.join(' '),
      // Copied, because an array that grew has spare capacity and a copy has none.
      repeated: repeated.length === 0 ? NEVER_REPEATED : repeated.slice(),
      words: terms.length,
      length
    }
    this.documents.set(document, packed)
    this.words += packed.words
    this.letters += packed.terms.length
  }

  remove(document: number): void {
    const packed = this.documents.get(document)
    if (packed === undefined) return
    this.documents.delete(document)
    this.words -= packed.words
    this.letters -= packed.terms.length
  }

  terms(document: number, limit: number): readonly string[] {
    const packed = this.documents.get(document)
    return packed === undefined ? [] : termsOf(packed).slice(0, limit)
  }

  wordsOf(document: number): WordList {
    const packed = this.documents.get(document)
    return packed === undefined ? NO_WORDS : unpacked(packed)
  }

  *entries(): Generator<readonly [number, WordList], void> {
    for (const [document, packed] of this.documents) yield [document, unpacked(packed)]
  }

  /** Postings of all documents, limited to words that begin like a word of the query: those that match it or are variants of it. */
  postingsFor(query: ReadonlySet<string>): Postings {
    const beginnings = new Set(Array.from(query, beginningOf))
    const postings = createPostings()
    for (const [document, packed] of this.documents)
      addDocumentAtOnce(
        postings,
        document,
        chosenOf(packed, (term) => beginnings.has(beginningOf(term)))
      )
    return postings
  }
}

function beginningOf(term: string): string {
  return term.slice(0, BEGINNING_LENGTH)
}

/** Selects words; `length` remains that of the whole document. */
function chosenOf(packed: Packed, isChosen: (term: string) => boolean): WordList {
  const all = unpacked(packed)
  const terms: string[] = []
  const counts: number[] = []
  for (const [at, term] of all.terms.entries()) {
    if (!isChosen(term)) continue
    terms.push(term)
    counts.push(all.counts[at] as number)
  }
  return { terms, counts, length: all.length }
}

function unpacked(packed: Packed): WordList {
  const { repeated, words, length } = packed
  const counts = new Array<number>(words).fill(1)
  for (let at = 0; at < repeated.length; at += 2) counts[repeated[at] as number] = repeated[at + 1] as number
  return { terms: termsOf(packed), counts, length }
}

function termsOf({ terms, words }: Packed): string[] {
  return words === 0 ? [] : terms.split(' ')
}

function lettersOf(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + term.length, Math.max(0, terms.length - 1))
}
