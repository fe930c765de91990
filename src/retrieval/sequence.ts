/** Documents ordered by sequence number, with access to the neighbours of any number. */
import { countBelow } from '../domain/collections/ascending.js'
import { withNext } from '../domain/collections/short-lists.js'
import type { Order } from '../domain/words/word-counts.js'

const NONE = -1

/** Neighbours by document: the one before and the one after; negative at an end. */
interface Links {
  readonly previous: Int32Array
  readonly next: Int32Array
}

/** Capacity grows by a quarter. */
const ROOM_SHIFT = 2

/** Shared initial array; never written to. */
const NO_LINKS = new Int32Array(0)

/**
 * Two sorted arrays, which take half the memory of a tree when most insertions append, and linked neighbours for ranking. Removal leaves an
 * empty place until half the places are empty: closing each gap at once would move the whole sequence every time. A class rather than
 * closures: every session has one, and per-instance functions would outweigh the data.
 */
export class Sequence {
  private seqs: number[] = []
  /** NONE in an empty place. */
  private documents: number[] = []
  private previous: Int32Array<ArrayBuffer> = NO_LINKS
  private next: Int32Array<ArrayBuffer> = NO_LINKS
  private gaps = 0
  /** Whether the document at each place has the number of that place, without gaps: so it is where none was ever removed. */
  private isNumbered = true

  /** Throws RangeError when `seq` is taken. Appending is cheap; inserting moves everything behind it. */
  add(seq: number, document: number): void {
    const { seqs, documents } = this
    const at = this.position(seq)
    const isThere = seqs[at] === seq
    if (isThere && documents[at] !== NONE) throw new RangeError('two memories have the same place in their session')
    const after = this.nearest(at, 1)
    const before = after === NONE ? this.nearest(at - 1, -1) : (this.previous[after] as number)
    this.makeRoom(document)
    this.link(document, after)
    this.link(before, document)
    this.isNumbered &&= at === document && at === seqs.length
    if (at === seqs.length) {
      this.seqs = withNext(seqs, seq)
      this.documents = withNext(documents, document)
      return
    }
    seqs.splice(at, isThere ? 1 : 0, seq)
    documents.splice(at, isThere ? 1 : 0, document)
    if (isThere) this.gaps -= 1
  }

  remove(seq: number): void {
    const { documents, previous, next } = this
    const at = this.position(seq)
    const document = documents[at] ?? NONE
    if (this.seqs[at] !== seq || document === NONE) return
    this.link(previous[document] as number, next[document] as number)
    previous[document] = NONE
    next[document] = NONE
    documents[at] = NONE
    this.isNumbered = false
    this.gaps += 1
    if (this.gaps * 2 > documents.length) this.closeGaps()
  }

  clear(): void {
    for (const list of [this.seqs, this.documents]) list.length = 0
    this.previous = NO_LINKS
    this.next = NO_LINKS
    this.gaps = 0
    this.isNumbered = true
  }

  /** Documents with a higher number, ascending. */
  *after(seq: number): IterableIterator<number> {
    const at = this.position(seq)
    const those = this.documents
    for (let i = this.seqs[at] === seq ? at + 1 : at; i < those.length; i++) if (those[i] !== NONE) yield those[i] as number
  }

  /** Documents with a lower number, descending. */
  *before(seq: number): IterableIterator<number> {
    const those = this.documents
    for (let i = this.position(seq) - 1; i >= 0; i--) if (those[i] !== NONE) yield those[i] as number
  }

  /** All documents in order; -1 in empty places. Valid as below. */
  order(): Order {
    return { documents: this.documents, isNumbered: this.isNumbered }
  }

  /** Neighbours by document; -1 at an end and for absent documents. Valid until something is added or removed. */
  links(): Links {
    return { previous: this.previous, next: this.next }
  }

  /** First position whose number is at least `seq`. */
  private position(seq: number): number {
    const { seqs } = this
    if (seq > (seqs.at(-1) ?? -Infinity)) return seqs.length
    return countBelow(seqs, seq)
  }

  private link(before: number, after: number): void {
    // Stryker disable next-line ConditionalExpression: the link of NONE is never read
    if (before !== NONE) this.next[before] = after
    // Stryker disable next-line ConditionalExpression: the link of NONE is never read
    if (after !== NONE) this.previous[after] = before
  }

  /** Grows the arrays for a new document, in steps proportional to their size. */
  private makeRoom(document: number): void {
    if (document < this.next.length) return
    const length = document + 1 + (document >> ROOM_SHIFT)
    // One buffer for both: the buffer is the most expensive part of a short array.
    const both = new Int32Array(2 * length).fill(NONE)
    both.set(this.previous)
    both.set(this.next, length)
    this.previous = both.subarray(0, length)
    this.next = both.subarray(length)
  }

  /** First document from a position on in one direction; NONE if there is none. */
  private nearest(from: number, step: 1 | -1): number {
    const { documents } = this
    for (let at = from; at >= 0 && at < documents.length; at += step) if (documents[at] !== NONE) return documents[at] as number
    return NONE
  }

  private closeGaps(): void {
    const { seqs, documents } = this
    this.seqs = seqs.filter((_, at) => documents[at] !== NONE)
    this.documents = documents.filter((document) => document !== NONE)
    this.isNumbered = this.documents.every((document, at) => document === at)
    this.gaps = 0
  }
}
