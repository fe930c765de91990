/** Documents in the order of their numbers, with the neighbours of any number at hand. */
export interface Sequence {
  /** Throws RangeError when `seq` is taken. Appending is free; inserting moves what lies behind. */
  add(seq: number, document: number): void
  remove(seq: number): void
  clear(): void
  /** Documents with a higher number, ascending. */
  after(seq: number): IterableIterator<number>
  /** Documents with a lower number, descending. */
  before(seq: number): IterableIterator<number>
  /** The document before this one, in constant time; -1 at the start. */
  previous(document: number): number
  /** The document after this one; -1 at the end. */
  next(document: number): number
}

const NONE = -1

/** An empty sequence: two sorted arrays, half the memory of a tree where most insertions append, and a chain for ranking. */
export function createSequence(): Sequence {
  const seqs: number[] = []
  const documents: number[] = []
  const previous: number[] = []
  const next: number[] = []

  /** First position whose number is `seq` or more. */
  function position(seq: number): number {
    if (seq > (seqs.at(-1) ?? -Infinity)) return seqs.length
    let low = 0
    let high = seqs.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((seqs[middle] as number) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  function link(before: number, after: number): void {
    if (before !== NONE) next[before] = after
    if (after !== NONE) previous[after] = before
  }

  return {
    add(seq, document) {
      const at = position(seq)
      if (seqs[at] === seq) throw new RangeError('two memories have the same place in their session')
      link(document, documents[at] ?? NONE)
      link(documents[at - 1] ?? NONE, document)
      seqs.splice(at, 0, seq)
      documents.splice(at, 0, document)
      if (at === 0) previous[document] = NONE
      if (at === documents.length - 1) next[document] = NONE
    },
    remove(seq) {
      const at = position(seq)
      if (seqs[at] !== seq) return
      link(documents[at - 1] ?? NONE, documents[at + 1] ?? NONE)
      seqs.splice(at, 1)
      documents.splice(at, 1)
    },
    clear() {
      for (const list of [seqs, documents, previous, next]) list.length = 0
    },
    *after(seq) {
      const at = position(seq)
      for (let i = seqs[at] === seq ? at + 1 : at; i < documents.length; i++) yield documents[i] as number
    },
    *before(seq) {
      for (let i = position(seq) - 1; i >= 0; i--) yield documents[i] as number
    },
    previous: (document) => previous[document] ?? NONE,
    next: (document) => next[document] ?? NONE
  }
}
