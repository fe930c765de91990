/** The words of a few documents, packed: an inverted index of them would weigh several times as much as their texts. */
import { LeanMap } from '../lean-map.js'
import { BEGINNING_LENGTH } from './alike-words.js'
import { addDocumentAtOnce, createPostings, type Postings } from './postings.js'
import { packedWordsBytes, wordsBytes } from './session-weight.js'
import type { WeightedTerms } from './word-forms.js'
import { NO_WORDS, type WordList } from './word-list.js'

/** As many as a search reads again in some hundredths of a millisecond: documents, words of all of them, and their letters. */
export const FEW_DOCUMENTS_MAX = 32
const WORDS_MAX = 512
const LETTERS_MAX = 8_192
/** Numbers of documents below which no search has to make room for many that are not there. */
const NUMBER_MAX = 1_024

interface Packed {
  /** With spaces between: no word has one. */
  readonly terms: string
  /** Pairs of a place among them and how often the word there occurs, where it is more than once. */
  readonly repeated: readonly number[]
  readonly words: number
  readonly length: number
}

const NEVER_REPEATED: readonly number[] = []

/** A class, because each session has one: functions of its own would weigh more than what they work with. */
export class FewDocuments {
  private readonly documents = new LeanMap<number, Packed>()
  private words = 0
  private letters = 0

  get size(): number {
    return this.documents.size
  }

  /** Bytes of memory, about. */
  bytes(): number {
    return packedWordsBytes({ documents: this.documents.size, characters: this.letters })
  }

  /** At most what an inverted index of them takes beyond that: each word may stand in one document alone. */
  spreadBytes(): number {
    const { words } = this
    return Math.max(0, wordsBytes({ words, characters: this.letters, occurrences: words }) - this.bytes())
  }

  /** Whether a document that is not there may come and few are left. */
  takes(document: number, { terms }: WordList): boolean {
    return (
      document < NUMBER_MAX &&
      this.documents.size < FEW_DOCUMENTS_MAX &&
      this.words + terms.length <= WORDS_MAX &&
      this.letters + lettersOf(terms) <= LETTERS_MAX
    )
  }

  /** Adds a document that is not there. */
  put(document: number, { terms, counts, length }: WordList): void {
    const repeated = counts.flatMap((count, at) => (count > 1 ? [at, count] : []))
    const packed = {
      terms: terms.join(' '),
      // A list that grows has room to spare, a copy has none.
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

  /** All documents with those of their words that begin like a word of a query, which it is or may stand for. */
  postingsFor(query: WeightedTerms): Postings {
    const beginnings = new Set(Array.from(query.keys(), beginningOf))
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

/** Its length is that of the whole document. */
function chosenOf(packed: Packed, isChosen: (term: string) => boolean): WordList {
  const { terms, counts, length } = unpacked(packed)
  const chosen = [...terms.keys()].filter((at) => isChosen(terms[at] as string))
  return { terms: chosen.map((at) => terms[at] as string), counts: chosen.map((at) => counts[at] as number), length }
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
