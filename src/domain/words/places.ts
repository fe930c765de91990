/** Places of a word: the documents that hold it, each with its count. */
import { countBelow } from '../collections/ascending.js'
import { withNext } from '../collections/short-lists.js'

/** A place packs a document number and a count of this many bits, so that one number holds both. */
const COUNT_BITS = 4
/** Stands for this count and all higher ones. */
export const MANY = 2 ** COUNT_BITS - 1

/** Most places in an array of numbers. Longer lists are typed: half the memory, and a kernel copies them at once. */
const SHORT_MAX = 64
/** A typed list that gets this short becomes an array again. */
const SHORT_AGAIN = SHORT_MAX >> 1
/** Capacity of a typed list grows by a half. */
const ROOM_SHIFT = 1

/** Ascending. A single one is stored without a list. */
export type Places = number | number[] | LongPlaces

/** Shared empty list; never written to. */
export const NO_PLACES: number[] = []

/** Places of a word in many documents. */
export class LongPlaces {
  /** Ascending; those from `count` on are spare. */
  numbers: Int32Array
  count: number

  constructor(places: readonly number[]) {
    this.count = places.length
    this.numbers = new Int32Array(withRoom(places.length))
    this.numbers.set(places)
  }

  /** Adds the place of another document. Most come behind all others: only then is nothing moved. */
  add(place: number): void {
    const { count } = this
    if (count === this.numbers.length) this.grow()
    const { numbers } = this
    if (count > 0 && place < (numbers[count - 1] as number)) {
      const at = this.position(place)
      numbers.copyWithin(at + 1, at, count)
      numbers[at] = place
    } else numbers[count] = place
    this.count = count + 1
  }

  /** Index of the first place that is at least `place`. */
  position(place: number): number {
    return countBelow(this.numbers.subarray(0, this.count), place)
  }

  private grow(): void {
    const { numbers } = this
    this.numbers = new Int32Array(withRoom(numbers.length))
    this.numbers.set(numbers)
  }
}

/** Document number of a place. */
export function documentAt(place: number): number {
  return place >> COUNT_BITS
}

/** Lowest place that a document can have. */
export function placeOf(document: number): number {
  return document << COUNT_BITS
}

/** Number of places. */
export function countOf(places: Places): number {
  return typeof places === 'number' ? 1 : places instanceof LongPlaces ? places.count : places.length
}

/** Shared array for a single place: an array for each would take as much memory as the rest of it. */
const LONE: [number] = [0]

/** The places by index, up to their count. For a single place, the list is shared and valid only until the next call. */
export function listOf(places: Places): ArrayLike<number> {
  if (typeof places !== 'number') return places instanceof LongPlaces ? places.numbers : places
  LONE[0] = places
  return LONE
}

/** Index of the first place that is at least `place`. */
export function positionIn(places: Places, place: number): number {
  return places instanceof LongPlaces ? places.position(place) : countBelow(listOf(places), place)
}

/** Adds the place of another document. Returns what to use from then on. */
export function withPlace(places: Places, place: number): Places {
  if (places instanceof LongPlaces) {
    places.add(place)
    return places
  }
  if (typeof places === 'number') return places < place ? [places, place] : [place, places]
  if (places.length === SHORT_MAX) return withPlace(new LongPlaces(places), place)
  const last = places[places.length - 1]
  if (last === undefined || last < place) return withNext(places, place)
  places.splice(countBelow(places, place), 0, place)
  return places
}

/** Removes the places of documents, ascending, that are all there. Returns what to use from then on. */
export function withoutPlaces(places: Places, documents: readonly number[]): Places {
  if (typeof places === 'number') return NO_PLACES
  const from = positionIn(places, placeOf(documents[0] as number))
  if (!(places instanceof LongPlaces)) {
    if (documents.length === 1) places.splice(from, 1)
    else places.length = closeGaps(places, { from, to: places.length }, documents)
    return places
  }
  const { numbers, count } = places
  if (documents.length === 1) {
    numbers.copyWithin(from, from + 1, count)
    places.count = count - 1
  } else places.count = closeGaps(numbers, { from, to: count }, documents)
  return places.count > SHORT_AGAIN ? places : [...numbers.subarray(0, places.count)]
}

/** Moves the other places of a range together. Returns where they end. */
function closeGaps(
  places: number[] | Int32Array,
  { from, to }: { readonly from: number; readonly to: number },
  documents: readonly number[]
): number {
  let kept = from
  let next = 0
  for (let at = from; at < to; at++) {
    const place = places[at] as number
    if (documentAt(place) === documents[next]) next += 1
    else places[kept++] = place
  }
  return kept
}

function withRoom(count: number): number {
  return count + 1 + (count >> ROOM_SHIFT)
}
