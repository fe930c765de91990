/** Postings of an inverted index: the documents that hold each word, with counts, and the words of each document. */
import { LabelFinder, NO_LABEL } from '../collections/label-finder.js'
import { Labels } from '../collections/labels.js'
import { createPartedMap, getIn, setIn, valuesOf } from '../collections/parted-map.js'
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import { ownText } from '../text/own-text.js'
import { addAlike, type Alike, type Beginnings, removeAlike } from './alike-words.js'
import { DocumentWords } from './document-words.js'
import { countOf, documentAt, listOf, MANY, NO_PLACES, placeOf, type Places, positionIn, withoutPlaces, withPlace } from './places.js'
import type { WordList } from './word-list.js'

/**
 * Documents that hold one word. A class: object literals whose field holds a number or a list get several hidden classes in V8, and lookups
 * take a fifth longer.
 */
export class Posting implements Alike {
  places: Places = NO_PLACES
  /** Counts too large for a place, by document; null when there is none. */
  many: Map<number, number> | null = null

  constructor(public term: string) {}
}

export interface Postings {
  readonly words: Labels<Posting>
  readonly byTerm: LabelFinder<Posting>
  readonly beginnings: Beginnings<Posting>
  /** Numbers of the distinct words of each document, in order of first occurrence. */
  readonly documents: DocumentWords
  /** Number of documents held. */
  size: number
  /** Words of each document including repetitions, by document number, with room for more: scoring needs it for every place. */
  lengths: Int32Array
  totalLength: number
  /** Characters of all distinct words, and the number of (word, document) pairs. Both determine the index's memory. */
  characters: number
  occurrences: number
  /** One above the highest document number since the index was last empty. */
  bound: number
}

/** Number of documents that hold the word. */
export function placeCount({ places }: Posting): number {
  return countOf(places)
}

/** Count of the word in the document of a place. */
export function countAt({ many }: Posting, place: number): number {
  const count = place & MANY
  return count === MANY ? (many?.get(documentAt(place)) ?? MANY) : count
}

/** Shared empty list; never written to. */
const NO_LENGTHS = new Int32Array(0)

/** Room for the lengths of this many documents at first. It grows by an eighth. */
const LENGTHS_MIN = 32
const LENGTHS_SHIFT = 3

/** Creates empty postings. */
export function createPostings(): Postings {
  const words = new Labels<Posting>()
  return {
    words,
    byTerm: new LabelFinder(words, termOf),
    beginnings: createPartedMap(),
    documents: new DocumentWords(),
    size: 0,
    lengths: NO_LENGTHS,
    totalLength: 0,
    characters: 0,
    occurrences: 0,
    bound: 0
  }
}

function termOf({ term }: Posting): string {
  return term
}

/** Places processed per piece: some tenths of a millisecond. */
const PLACES_A_PIECE = 256

/** Places of a list that can be moved in the time of processing one. */
const MOVES_A_PLACE = 64

/** Cost of removing a document, in places: its words, and the places behind it in their lists. */
export function removalPlaces(postings: Postings, document: number): number {
  const count = postings.documents.count(document)
  let moves = 0
  for (let at = 0; at < count; at++) moves += placeCount(wordAt(postings, document, at))
  return count + moves / MOVES_A_PLACE
}

/** A word of a document, counted in order of first occurrence. */
export function wordAt({ documents, words }: Postings, document: number, at: number): Posting {
  return words.get(documents.at(document, at)) as Posting
}

/** Adds a document, which must not be present. The postings must not be used until it has finished. */
export function* addDocument(postings: Postings, document: number, words: WordList): Pieces<void> {
  const own = new Array<number>(words.terms.length)
  for (let from = 0; from < own.length; from += PLACES_A_PIECE) {
    yield
    addTerms(postings, document, { words, own, from, to: Math.min(own.length, from + PLACES_A_PIECE) })
  }
  enter(postings, document, words, own)
}

/** `addDocument` in one go. */
export function addDocumentAtOnce(postings: Postings, document: number, words: WordList): void {
  const own = new Array<number>(words.terms.length)
  addTerms(postings, document, { words, own, from: 0, to: own.length })
  enter(postings, document, words, own)
}

function addTerms(
  postings: Postings,
  document: number,
  { words, own, from, to }: { readonly words: WordList; readonly own: number[]; readonly from: number; readonly to: number }
): void {
  for (let at = from; at < to; at++) {
    const term = words.terms[at] as string
    const count = words.counts[at] as number
    const number = postings.byTerm.labelOf(term)
    if (number !== NO_LABEL) insert(postings.words.get(number) as Posting, document, count)
    own[at] = number === NO_LABEL ? addWord(postings, createPosting(ownText(term), document, count)) : number
  }
}

function addWord(postings: Postings, posting: Posting): number {
  const number = postings.words.take(posting)
  postings.byTerm.add(number)
  addAlike(postings.beginnings, posting)
  postings.characters += posting.term.length
  return number
}

function enter(postings: Postings, document: number, { length }: WordList, own: readonly number[]): void {
  postings.documents.add(document, own)
  postings.occurrences += own.length
  if (document >= postings.lengths.length) postings.lengths = withRoomFor(document, postings.lengths)
  postings.size += 1
  postings.lengths[document] = length
  postings.totalLength += length
  postings.bound = Math.max(postings.bound, document + 1)
}

/** Document numbers are reused labels, so there are no wide gaps. */
function withRoomFor(document: number, lengths: Int32Array): Int32Array {
  const roomier = new Int32Array(Math.max(LENGTHS_MIN, document + 1 + (document >> LENGTHS_SHIFT)))
  roomier.set(lengths)
  return roomier
}

/** Words of a document as they were added; none for an absent one. */
export function wordsOf(postings: Postings, document: number): WordList {
  const own = Array.from({ length: postings.documents.count(document) }, (_, at) => wordAt(postings, document, at))
  const counts = own.map((posting) => countIn(posting, document))
  return { terms: own.map(({ term }) => term), counts, length: postings.lengths[document] ?? 0 }
}

function countIn(posting: Posting, document: number): number {
  const { places } = posting
  return countAt(posting, listOf(places)[positionIn(places, placeOf(document))] as number)
}

/** Documents that a word loses. */
interface Leaving {
  readonly number: number
  readonly posting: Posting
  /** Ascending. */
  readonly documents: number[]
}

/**
 * Removes documents without a trace; postings without documents are as new. Each list is walked once, however many of its documents go. The
 * postings must not be used until it has finished.
 */
export function* removeDocuments(postings: Postings, documents: Iterable<number>): Pieces<void> {
  const gone = [...documents].filter((document) => postings.documents.has(document)).sort((a, b) => a - b)
  const leaving = createPartedMap<Leaving>()
  let places = 0
  for (const document of gone) {
    for (let at = 0; at < postings.documents.count(document); at++) {
      if (places++ % PLACES_A_PIECE === 0) yield
      const number = postings.documents.at(document, at)
      const posting = wordAt(postings, document, at)
      const known = getIn(leaving, posting.term)
      if (known === undefined) setIn(leaving, posting.term, { number, posting, documents: [document] })
      else known.documents.push(document)
    }
  }
  const pace = createPace()
  for (const { number, posting, documents: those } of valuesOf(leaving)) {
    if (isPauseDue(pace, (1 + placeCount(posting) / MOVES_A_PLACE) / PLACES_A_PIECE)) yield
    remove(posting, those)
    if (placeCount(posting) > 0) continue
    postings.characters -= posting.term.length
    postings.byTerm.delete(number)
    removeAlike(postings.beginnings, posting)
    postings.words.free(number)
  }
  for (const document of gone) {
    const count = postings.documents.count(document)
    if (isPauseDue(pace, count / (MOVES_A_PLACE * PLACES_A_PIECE))) yield
    postings.documents.remove(document)
    postings.occurrences -= count
    postings.size -= 1
    postings.totalLength -= postings.lengths[document] ?? 0
    postings.lengths[document] = 0
  }
  if (postings.size > 0) return
  postings.words.clear()
  postings.byTerm.clear()
  postings.bound = 0
  postings.documents.clear()
  postings.lengths = NO_LENGTHS
}

/** Creates the posting of a word with one document. */
function createPosting(term: string, document: number, count: number): Posting {
  const posting = new Posting(term)
  posting.places = countedPlace(posting, document, count)
  return posting
}

/** The place of a document that holds the word `count` times. */
function countedPlace(posting: Posting, document: number, count: number): number {
  if (count < MANY) return placeOf(document) + count
  posting.many ??= new Map()
  posting.many.set(document, count)
  return placeOf(document) + MANY
}

function insert(posting: Posting, document: number, count: number): void {
  posting.places = withPlace(posting.places, countedPlace(posting, document, count))
}

/** `gone`: some of the word's documents, ascending. */
function remove(posting: Posting, gone: readonly number[]): void {
  if (posting.many !== null) forget(posting, gone)
  posting.places = withoutPlaces(posting.places, gone)
}

function forget(posting: Posting, gone: readonly number[]): void {
  for (const document of gone) posting.many?.delete(document)
  if (posting.many?.size === 0) posting.many = null
}
