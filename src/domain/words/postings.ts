/** An inverted index: which documents hold a word, how often, and which words a document holds. */
import { countBelow } from '../ascending.js'
import type { Pieces } from '../pieces.js'
import type { Words } from '../text/reading.js'
import { addAlike, type Beginnings, removeAlike } from './alike-words.js'

export interface Posting {
  readonly term: string
  /** Ascending. */
  documents: number[]
  /** How often the word occurs in each of `documents`. */
  counts: number[]
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
  return {
    byTerm: new Map(),
    beginnings: new Map(),
    documents: new Map(),
    lengths: [],
    totalLength: 0,
    characters: 0,
    occurrences: 0,
    bound: 0
  }
}

/** Places worked on at a time: some tenths of a millisecond. */
const PLACES_A_PIECE = 256

/** Places of a list that are moved in the time in which one is worked on. */
const MOVES_A_PLACE = 64

/** What it costs to remove a document, in places: its words, and what lies behind it in their lists. */
export function removalPlaces(postings: Postings, document: number): number {
  const own = postings.documents.get(document) ?? []
  return own.reduce((sum, posting) => sum + 1 + posting.documents.length / MOVES_A_PLACE, 0)
}

/** Adds a document that is not there. Until it has ended, nothing else may be done with the postings. */
export function* addDocument(postings: Postings, document: number, { counts, length }: Words): Pieces<void> {
  const own: Posting[] = []
  for (const [term, count] of counts) {
    if (own.length % PLACES_A_PIECE === 0) yield
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
  postings.lengths[document] = length
  postings.totalLength += length
  postings.bound = Math.max(postings.bound, document + 1)
}

/**
 * Leaves nothing of the documents behind: without any the postings are as new. Each list is gone through once, however many of its
 * documents go. Until it has ended, nothing else may be done with the postings.
 */
export function* removeDocuments(postings: Postings, documents: Iterable<number>): Pieces<void> {
  const gone = [...documents].filter((document) => postings.documents.has(document)).sort((a, b) => a - b)
  /** Ascending, by posting. */
  const leaving = new Map<Posting, number[]>()
  let places = 0
  for (const document of gone) {
    for (const posting of postings.documents.get(document) ?? []) {
      if (places++ % PLACES_A_PIECE === 0) yield
      const others = leaving.get(posting)
      if (others === undefined) leaving.set(posting, [document])
      else others.push(document)
    }
  }
  places = 0
  for (const [posting, those] of leaving) {
    places += 1 + posting.documents.length / MOVES_A_PLACE
    if (places >= PLACES_A_PIECE) {
      places = 0
      yield
    }
    remove(posting, those)
    if (posting.documents.length > 0) continue
    postings.byTerm.delete(posting.term)
    removeAlike(postings.beginnings, posting)
    postings.characters -= posting.term.length
  }
  for (const document of gone) {
    postings.occurrences -= postings.documents.get(document)?.length ?? 0
    postings.documents.delete(document)
    postings.totalLength -= postings.lengths[document] ?? 0
    postings.lengths[document] = 0
  }
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
    append(posting, document, count)
    return
  }
  const position = countBelow(documents, document)
  documents.splice(position, 0, document)
  counts.splice(position, 0, count)
}

/** Short lists are made anew: V8 would make room for sixteen more. */
const SHORT_LIST = 4

function append(posting: Posting, document: number, count: number): void {
  const { documents, counts } = posting
  if (documents.length < SHORT_LIST) {
    posting.documents = [...documents, document]
    posting.counts = [...counts, count]
    return
  }
  documents.push(document)
  counts.push(count)
}

/** `gone` are some of its documents, ascending. */
function remove({ documents, counts }: Posting, gone: readonly number[]): void {
  let kept = countBelow(documents, gone[0] as number)
  if (gone.length === 1) {
    documents.splice(kept, 1)
    counts.splice(kept, 1)
    return
  }
  let next = 0
  for (let at = kept; at < documents.length; at++) {
    if (documents[at] === gone[next]) {
      next += 1
      continue
    }
    documents[kept] = documents[at] as number
    counts[kept] = counts[at] as number
    kept += 1
  }
  documents.length = kept
  counts.length = kept
}
