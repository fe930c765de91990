/** An inverted index: which documents hold a word, how often, and which words a document holds. */
import { countBelow } from '../ascending.js'
import { createPartedMap, deleteIn, getIn, type PartedMap, setIn, valuesOf } from '../parted-map.js'
import { createPace, isPauseDue, type Pieces } from '../pieces.js'
import { withNext } from '../short-lists.js'
import { addAlike, type Alike, type Beginnings, removeAlike } from './alike-words.js'
import type { WordList } from './word-list.js'

export interface Posting extends Alike {
  /** Of the documents that hold the word, ascending, each with how often it does; of one alone not as a list. See `placesOf`. */
  places: number[] | number
  /** By document, how often it holds the word where a place cannot tell; null where all can. */
  many: Map<number, number> | null
}

export interface Postings {
  readonly byTerm: PartedMap<Posting>
  readonly beginnings: Beginnings<Posting>
  /** Of the distinct words of each document, in order of first occurrence; by its number. */
  documents: (readonly Posting[] | undefined)[]
  /** Documents held. */
  size: number
  /** Words of each document, repetitions counted, by its number: what every posting asks for. */
  lengths: number[]
  totalLength: number
  /** Characters of all distinct words, and how many (word, document) pairs there are: what the index weighs. */
  characters: number
  occurrences: number
  /** One above the highest document held since it was last empty. */
  bound: number
}

/** A place is the number of its document and the count, in this many bits: one list of numbers instead of two. */
const COUNT_BITS = 4
/** Stands for this count and all above it. */
const MANY = 2 ** COUNT_BITS - 1

/** The document of a place. */
export function documentAt(place: number): number {
  return place >> COUNT_BITS
}

/** Of a word in one document, as most are: a list for each would take as much room as all the rest of it. */
const LONE: [number] = [0]

/** Ascending. Of a word in one document it is a list that the next one has as well. */
export function placesOf({ places }: Posting): readonly number[] {
  if (typeof places !== 'number') return places
  LONE[0] = places
  return LONE
}

/** Documents that hold the word. */
export function placeCount({ places }: Posting): number {
  return typeof places === 'number' ? 1 : places.length
}

/** How often the document of a place holds the word. */
export function countAt({ many }: Posting, place: number): number {
  const count = place & MANY
  return count === MANY ? (many?.get(documentAt(place)) ?? MANY) : count
}

/** The lowest place that a document could have. */
function placeOf(document: number): number {
  return document << COUNT_BITS
}

/** Postings without any document. */
export function createPostings(): Postings {
  return {
    byTerm: createPartedMap(),
    beginnings: createPartedMap(),
    documents: [],
    size: 0,
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
  const own = postings.documents[document] ?? []
  return own.reduce((sum, posting) => sum + 1 + placeCount(posting) / MOVES_A_PLACE, 0)
}

/** Adds a document that is not there. Until it has ended, nothing else may be done with the postings. */
export function* addDocument(postings: Postings, document: number, words: WordList): Pieces<void> {
  const own = new Array<Posting>(words.terms.length)
  for (let from = 0; from < own.length; from += PLACES_A_PIECE) {
    yield
    addTerms(postings, document, { words, own, from, to: Math.min(own.length, from + PLACES_A_PIECE) })
  }
  enter(postings, document, words, own)
}

/** The same in one go. */
export function addDocumentAtOnce(postings: Postings, document: number, words: WordList): void {
  const own = new Array<Posting>(words.terms.length)
  addTerms(postings, document, { words, own, from: 0, to: own.length })
  enter(postings, document, words, own)
}

function addTerms(
  postings: Postings,
  document: number,
  { words, own, from, to }: { readonly words: WordList; readonly own: Posting[]; readonly from: number; readonly to: number }
): void {
  const { byTerm } = postings
  for (let at = from; at < to; at++) {
    const term = words.terms[at] as string
    const count = words.counts[at] as number
    let posting = getIn(byTerm, term)
    if (posting === undefined) {
      posting = createPosting(term, document, count)
      setIn(byTerm, term, posting)
      addAlike(postings.beginnings, posting)
      postings.characters += term.length
    } else insert(posting, document, count)
    own[at] = posting
  }
}

function enter(postings: Postings, document: number, { length }: WordList, own: readonly Posting[]): void {
  postings.occurrences += own.length
  // Numbers of documents are labels, so that no gap is wide.
  while (postings.documents.length <= document) {
    postings.documents = withNext<readonly Posting[] | undefined>(postings.documents, undefined)
    postings.lengths = withNext(postings.lengths, 0)
  }
  postings.documents[document] = own
  postings.size += 1
  postings.lengths[document] = length
  postings.totalLength += length
  postings.bound = Math.max(postings.bound, document + 1)
}

/** The words of a document as they were added; none of one that is not there. */
export function wordsOf({ documents, lengths }: Postings, document: number): WordList {
  const own = documents[document] ?? []
  const counts = own.map((posting) => countIn(posting, document))
  return { terms: own.map(({ term }) => term), counts, length: lengths[document] ?? 0 }
}

function countIn(posting: Posting, document: number): number {
  const places = placesOf(posting)
  return countAt(posting, places[countBelow(places, placeOf(document))] as number)
}

/** What a word loses. */
interface Leaving {
  readonly posting: Posting
  /** Ascending. */
  readonly documents: number[]
}

/**
 * Leaves nothing of the documents behind: without any the postings are as new. Each list is gone through once, however many of its
 * documents go. Until it has ended, nothing else may be done with the postings.
 */
export function* removeDocuments(postings: Postings, documents: Iterable<number>): Pieces<void> {
  const gone = [...documents].filter((document) => postings.documents[document] !== undefined).sort((a, b) => a - b)
  const leaving = createPartedMap<Leaving>()
  let places = 0
  for (const document of gone) {
    for (const posting of postings.documents[document] ?? []) {
      if (places++ % PLACES_A_PIECE === 0) yield
      const known = getIn(leaving, posting.term)
      if (known === undefined) setIn(leaving, posting.term, { posting, documents: [document] })
      else known.documents.push(document)
    }
  }
  const pace = createPace()
  for (const { posting, documents: those } of valuesOf(leaving)) {
    if (isPauseDue(pace, (1 + placeCount(posting) / MOVES_A_PLACE) / PLACES_A_PIECE)) yield
    remove(posting, those)
    if (placeCount(posting) > 0) continue
    postings.characters -= posting.term.length
    deleteIn(postings.byTerm, posting.term)
    removeAlike(postings.beginnings, posting)
  }
  for (const document of gone) {
    postings.occurrences -= postings.documents[document]?.length ?? 0
    postings.documents[document] = undefined
    postings.size -= 1
    postings.totalLength -= postings.lengths[document] ?? 0
    postings.lengths[document] = 0
  }
  if (postings.size > 0) return
  postings.bound = 0
  postings.documents.length = 0
  postings.lengths.length = 0
}

/** Of a word that is to come or has gone: nobody writes to it. */
const NO_PLACES: number[] = []

/** A class: of literals, in which a list takes the place of a number, V8 makes several shapes, and a lookup takes a fifth longer. */
class Word implements Posting {
  places: number[] | number = NO_PLACES
  many: Map<number, number> | null = null

  constructor(public term: string) {}
}

/** Of one document. */
function createPosting(term: string, document: number, count: number): Posting {
  const posting = new Word(term)
  posting.places = countedPlace(posting, document, count)
  return posting
}

/** The place of a document that holds the word so often. */
function countedPlace(posting: Posting, document: number, count: number): number {
  if (count < MANY) return placeOf(document) + count
  posting.many ??= new Map()
  posting.many.set(document, count)
  return placeOf(document) + MANY
}

function insert(posting: Posting, document: number, count: number): void {
  const { places } = posting
  const place = countedPlace(posting, document, count)
  if (typeof places === 'number') {
    posting.places = places < place ? [places, place] : [place, places]
    return
  }
  const last = places[places.length - 1]
  if (last === undefined || last < place) posting.places = withNext(places, place)
  else places.splice(countBelow(places, place), 0, place)
}

/** `gone` are some of its documents, ascending. */
function remove(posting: Posting, gone: readonly number[]): void {
  const { places } = posting
  if (posting.many !== null) forget(posting, gone)
  if (typeof places === 'number') {
    posting.places = NO_PLACES
    return
  }
  let kept = countBelow(places, placeOf(gone[0] as number))
  if (gone.length === 1) {
    places.splice(kept, 1)
    return
  }
  let next = 0
  for (let at = kept; at < places.length; at++) {
    const place = places[at] as number
    if (documentAt(place) === gone[next]) next += 1
    else places[kept++] = place
  }
  places.length = kept
}

function forget(posting: Posting, gone: readonly number[]): void {
  for (const document of gone) posting.many?.delete(document)
  if (posting.many?.size === 0) posting.many = null
}
