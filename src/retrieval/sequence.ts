/** Documents in the order of their numbers, with the neighbours of any number at hand. */
import { countBelow } from '../domain/ascending.js'
import type { Links } from '../domain/words/word-counts.js'

export interface Sequence {
  /** Throws RangeError when `seq` is taken. Appending is free; inserting moves what lies behind. */
  add(seq: number, document: number): void
  remove(seq: number): void
  clear(): void
  /** Documents with a higher number, ascending. */
  after(seq: number): IterableIterator<number>
  /** Documents with a lower number, descending. */
  before(seq: number): IterableIterator<number>
  /** By document, those beside it; -1 at an end, and beside what is not there. As long as nothing is added or removed. */
  links(): Links
}

const NONE = -1

/** Room for a quarter more than there is. */
const ROOM_SHIFT = 2

/**
 * An empty sequence: two sorted arrays, half the memory of a tree where most insertions append, and a chain for ranking. What is removed
 * leaves its place behind, until half of them are empty: closing each gap at once would move the whole sequence for each of many.
 */
export function createSequence(): Sequence {
  let seqs: number[] = []
  /** NONE in a place that is empty. */
  let documents: number[] = []
  let previous = new Int32Array(0)
  let next = new Int32Array(0)
  let gaps = 0

  /** First position whose number is `seq` or more. */
  function position(seq: number): number {
    if (seq > (seqs.at(-1) ?? -Infinity)) return seqs.length
    return countBelow(seqs, seq)
  }

  function link(before: number, after: number): void {
    // Stryker disable next-line ConditionalExpression: what NONE is linked to is not read
    if (before !== NONE) next[before] = after
    // Stryker disable next-line ConditionalExpression: nor is this
    if (after !== NONE) previous[after] = before
  }

  /** Makes room for one more document, in steps that grow with what there is. */
  function makeRoom(document: number): void {
    if (document < next.length) return
    const length = document + 1 + (document >> ROOM_SHIFT)
    previous = grown(previous, length)
    next = grown(next, length)
  }

  /** The document nearest to a position on its way in one direction. */
  function nearest(from: number, step: 1 | -1): number {
    for (let at = from; at >= 0 && at < documents.length; at += step) if (documents[at] !== NONE) return documents[at] as number
    return NONE
  }

  function closeGaps(): void {
    seqs = seqs.filter((_, at) => documents[at] !== NONE)
    documents = documents.filter((document) => document !== NONE)
    gaps = 0
  }

  return {
    add(seq, document) {
      const at = position(seq)
      const isThere = seqs[at] === seq
      if (isThere && documents[at] !== NONE) throw new RangeError('two memories have the same place in their session')
      const after = nearest(at, 1)
      const before = after === NONE ? nearest(at - 1, -1) : (previous[after] as number)
      makeRoom(document)
      link(document, after)
      link(before, document)
      if (at === seqs.length) {
        seqs.push(seq)
        documents.push(document)
        return
      }
      seqs.splice(at, isThere ? 1 : 0, seq)
      documents.splice(at, isThere ? 1 : 0, document)
      if (isThere) gaps -= 1
    },
    remove(seq) {
      const at = position(seq)
      const document = documents[at] ?? NONE
      if (seqs[at] !== seq || document === NONE) return
      link(previous[document] as number, next[document] as number)
      previous[document] = NONE
      next[document] = NONE
      documents[at] = NONE
      gaps += 1
      if (gaps * 2 > documents.length) closeGaps()
    },
    clear() {
      for (const list of [seqs, documents]) list.length = 0
      previous = new Int32Array(0)
      next = new Int32Array(0)
      gaps = 0
    },
    *after(seq) {
      const at = position(seq)
      const those = documents
      for (let i = seqs[at] === seq ? at + 1 : at; i < those.length; i++) if (those[i] !== NONE) yield those[i] as number
    },
    *before(seq) {
      const those = documents
      for (let i = position(seq) - 1; i >= 0; i--) if (those[i] !== NONE) yield those[i] as number
    },
    links: () => ({ previous, next })
  }
}

function grown(links: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length).fill(NONE, links.length)
  longer.set(links)
  return longer
}
