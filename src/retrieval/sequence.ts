/** Ids in the order of their numbers, with the neighbours of any number at hand. */
export interface Sequence {
  /** `seq` must not be taken. Appending is free; inserting moves what lies behind. */
  add(seq: number, id: string): void
  remove(seq: number): void
  clear(): void
  /** Ids with a higher number, ascending. */
  after(seq: number): IterableIterator<string>
  /** Ids with a lower number, descending. */
  before(seq: number): IterableIterator<string>
}

/** An empty sequence, kept as two sorted arrays: half the memory of a tree, and sessions mostly append. */
export function createSequence(): Sequence {
  const seqs: number[] = []
  const ids: string[] = []

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

  return {
    add(seq, id) {
      const at = position(seq)
      if (seqs[at] === seq) throw new RangeError('two memories have the same place in their session')
      seqs.splice(at, 0, seq)
      ids.splice(at, 0, id)
    },
    remove(seq) {
      const at = position(seq)
      if (seqs[at] !== seq) return
      seqs.splice(at, 1)
      ids.splice(at, 1)
    },
    clear() {
      seqs.length = 0
      ids.length = 0
    },
    *after(seq) {
      const at = position(seq)
      for (let i = seqs[at] === seq ? at + 1 : at; i < ids.length; i++) yield ids[i] as string
    },
    *before(seq) {
      for (let i = position(seq) - 1; i >= 0; i--) yield ids[i] as string
    }
  }
}
