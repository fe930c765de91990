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

/**
 * The words of a document, separated by spaces; no word contains one. Numbers with commas between them come first: the document's length,
 * then pairs of index and count, for the words that occur more than once.
 */
type Packed = string

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
  put(document: number, words: WordList): void {
    this.documents.set(document, toPacked(words))
    this.words += words.terms.length
    this.letters += lettersOf(words.terms)
  }

  remove(document: number): void {
    const packed = this.documents.get(document)
    if (packed === undefined) return
    this.documents.delete(document)
    const terms = termsOf(packed)
    this.words -= terms.length
    this.letters -= lettersOf(terms)
  }

  terms(document: number, limit: number): readonly string[] {
    const packed = this.documents.get(document)
    return packed === undefined ? [] : termsOf(packed, limit)
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
    const beginnings = beginningsOf(query)
    const postings = createPostings()
    for (const [document, packed] of this.documents) addDocumentAtOnce(postings, document, chosenOf(packed, beginnings))
    return postings
  }
}

interface Beginnings {
  readonly all: ReadonlySet<string>
  /** A bit for the first letter of each, as `bitOf` returns it: that alone rules most words out. */
  readonly letters: number
}

function beginningsOf(terms: Iterable<string>): Beginnings {
  const all = new Set<string>()
  let letters = 0
  for (const term of terms) {
    all.add(term.slice(0, BEGINNING_LENGTH))
    letters |= bitOf(term, 0)
  }
  return { all, letters }
}

/** A bit for the letter at this place: one of 32, which other letters share. */
function bitOf(text: string, at: number): number {
  return 1 << (text.charCodeAt(at) & 31)
}

/** Selects the words that begin so. They are cut out one by one, as most are left out; `length` remains that of the whole document. */
function chosenOf(packed: Packed, { all, letters }: Beginnings): WordList {
  const { length, repeated } = numbersOf(packed)
  const terms: string[] = []
  const counts: number[] = []
  let next = 0
  for (let at = 0, space = packed.indexOf(' '); space >= 0; at++) {
    const from = space + 1
    space = packed.indexOf(' ', from)
    const end = space < 0 ? packed.length : space
    const isRepeated = repeated[next] === at
    if ((bitOf(packed, from) & letters) !== 0 && all.has(packed.slice(from, Math.min(end, from + BEGINNING_LENGTH)))) {
      terms.push(packed.slice(from, end))
      counts.push(isRepeated ? (repeated[next + 1] as number) : 1)
    }
    if (isRepeated) next += 2
  }
  return { terms, counts, length }
}

function toPacked({ terms, counts, length }: WordList): Packed {
  const repeated = counts.flatMap((count, at) => (count > 1 ? [at, count] : []))
  return [[length, ...repeated].join(','), ...terms].join(' ')
}

function unpacked(packed: Packed): WordList {
  const { length, repeated } = numbersOf(packed)
  const terms = termsOf(packed)
  const counts = new Array<number>(terms.length).fill(1)
  for (let at = 0; at < repeated.length; at += 2) counts[repeated[at] as number] = repeated[at + 1] as number
  return { terms, counts, length }
}

function numbersOf(packed: Packed): { readonly length: number; readonly repeated: readonly number[] } {
  const space = packed.indexOf(' ')
  const [length = 0, ...repeated] = packed
    .slice(0, space < 0 ? packed.length : space)
    .split(',')
    .map(Number)
  return { length, repeated }
}

function termsOf(packed: Packed, limit = packed.length): string[] {
  return packed.split(' ', 1 + limit).slice(1)
}

function lettersOf(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + term.length, Math.max(0, terms.length - 1))
}
