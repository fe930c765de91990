/** An inverted index: which documents hold a word, how often, and which words a document holds. */
import { addAlike, removeAlike, type Beginnings } from './alike-words.js'

export interface Posting {
  readonly term: string
  /** Ascending. */
  readonly documents: number[]
  /** How often the word occurs in each of `documents`. */
  readonly counts: number[]
  /** The words before and after it that begin alike, in a ring; itself where there is none. */
  next: Posting
  previous: Posting
}

export interface Postings {
  readonly byTerm: Map<string, Posting>
  readonly beginnings: Beginnings<Posting>
  /** Of the distinct words of each document, in order of first occurrence. */
  readonly documents: Map<number, readonly Posting[]>
  /** Words of each document, repetitions counted, by its number: what every posting asks for. */
  readonly lengths: number[]
  totalLength: number
  /** Characters of all distinct words, and how many (word, document) pairs there are: what the index weighs. */
  characters: number
  occurrences: number
  /** One above the highest document held since it was last empty. */
  bound: number
}

/** Postings without any document. */
export function createPostings(): Postings {
  return { byTerm: new Map(), beginnings: new Map(), documents: new Map(), lengths: [], totalLength: 0, characters: 0, occurrences: 0, bound: 0 }
}

/** Adds a document or replaces its words. */
export function putDocument(postings: Postings, document: number, terms: readonly string[]): void {
  removeDocument(postings, document)
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const own: Posting[] = []
  for (const [term, count] of counts) {
    const known = postings.byTerm.get(term)
    const posting = known ?? createPosting(term, document, count)
    if (known === undefined) {
      postings.byTerm.set(term, posting)
      addAlike(postings.beginnings, posting)
      postings.characters += term.length
    } else insert(posting, document, count)
    own.push(posting)
  }
  postings.occurrences += own.length
  postings.documents.set(document, own)
  postings.lengths[document] = terms.length
  postings.totalLength += terms.length
  postings.bound = Math.max(postings.bound, document + 1)
}

/** Leaves nothing of a document behind: without any they are as new. */
export function removeDocument(postings: Postings, document: number): void {
  const known = postings.documents.get(document)
  if (known === undefined) return
  for (const posting of known) {
    remove(posting, document)
    if (posting.documents.length > 0) continue
    postings.byTerm.delete(posting.term)
    removeAlike(postings.beginnings, posting)
    postings.characters -= posting.term.length
  }
  postings.occurrences -= known.length
  postings.documents.delete(document)
  postings.totalLength -= postings.lengths[document] ?? 0
  postings.lengths[document] = 0
  if (postings.documents.size > 0) return
  postings.bound = 0
  postings.lengths.length = 0
}

export function clearPostings(postings: Postings): void {
  postings.byTerm.clear()
  postings.beginnings.clear()
  postings.documents.clear()
  postings.lengths.length = 0
  postings.totalLength = 0
  postings.characters = 0
  postings.occurrences = 0
  postings.bound = 0
}

/** Of one document, and in a ring of its own. */
function createPosting(term: string, document: number, count: number): Posting {
  // Lists of one element, not empty ones that grow: most words stand in one document, and V8 makes room for seventeen.
  const alone = { term, documents: [document], counts: [count] } as { -readonly [Key in keyof Posting]: Posting[Key] }
  alone.next = alone
  alone.previous = alone
  return alone
}

function insert(posting: Posting, document: number, count: number): void {
  const { documents, counts } = posting
  const last = documents.at(-1)
  if (last === undefined || last < document) {
    documents.push(document)
    counts.push(count)
    return
  }
  const position = firstNotBelow(documents, document)
  documents.splice(position, 0, document)
  counts.splice(position, 0, count)
}

function remove(posting: Posting, document: number): void {
  const position = firstNotBelow(posting.documents, document)
  posting.documents.splice(position, 1)
  posting.counts.splice(position, 1)
}

/** First position whose value is `value` or more. */
function firstNotBelow(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}
