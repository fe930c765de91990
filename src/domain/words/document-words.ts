/** The words of each document, by number. */
import { withNext } from '../collections/short-lists.js'

/** Numbers in a block: moving as many takes less than a tenth of a millisecond. A longer list is a block of its own. */
const BLOCK_SHIFT = 16
const BLOCK = 2 ** BLOCK_SHIFT

/** Least room of the first block, in numbers. It grows by a quarter; later blocks have their full size at once. */
const ROOM_MIN = 256
const ROOM_SHIFT = 2

/** Numbers before the words of a list: its document, and how many words there are. */
const HEAD = 2

/** Start of an absent document. */
const ABSENT = -1

/** Shared empty array; never written to. */
const NO_NUMBERS = new Int32Array(0)

interface Block {
  /** Lists, one after another. */
  numbers: Int32Array
  end: number
  /** Numbers in lists of removed documents. */
  gone: number
}

/**
 * Lists of numbers in a few blocks. A list as an object of each document would be one more to collect, with a reference to every word. A
 * class rather than closures: many sessions have one.
 */
export class DocumentWords {
  private blocks: Block[] = []
  /** Numbers of blocks without lists; null for none. */
  private unused: number[] | null = null
  /** The block that is filled; -1 for none. */
  private filling = -1
  /** By document: the number of its block times `BLOCK`, plus the place of its list there. */
  private starts: number[] = []

  /** One above the highest document since this was last cleared. */
  get bound(): number {
    return this.starts.length
  }

  has(document: number): boolean {
    return (this.starts[document] ?? ABSENT) !== ABSENT
  }

  /** Number of words; 0 for an absent document. */
  count(document: number): number {
    const start = this.starts[document] ?? ABSENT
    return start === ABSENT ? 0 : (this.numbersAt(start)[(start & (BLOCK - 1)) + 1] as number)
  }

  /** A word of a present document. */
  at(document: number, place: number): number {
    const start = this.starts[document] as number
    return this.numbersAt(start)[(start & (BLOCK - 1)) + HEAD + place] as number
  }

  /** Adds the words of an absent document. */
  add(document: number, words: ArrayLike<number>): void {
    // Document numbers are reused labels, so there are no wide gaps.
    while (this.starts.length <= document) this.starts = withNext(this.starts, ABSENT)
    const { length } = words
    const block = this.blockFor(HEAD + length)
    const { numbers, end } = block
    this.starts[document] = BLOCK * this.filling + end
    numbers[end] = document
    numbers[end + 1] = length
    for (let at = 0; at < length; at++) numbers[end + HEAD + at] = words[at] as number
    block.end += HEAD + length
  }

  /** Removes a present document without a trace. */
  remove(document: number): void {
    const start = this.starts[document] as number
    const size = HEAD + this.count(document)
    const block = this.blocks[start >> BLOCK_SHIFT] as Block
    this.starts[document] = ABSENT
    block.numbers.fill(0, (start & (BLOCK - 1)) + HEAD, (start & (BLOCK - 1)) + size)
    block.gone += size
    if (2 * block.gone > block.end) this.empty(start >> BLOCK_SHIFT)
  }

  clear(): void {
    this.blocks = []
    this.unused = null
    this.filling = -1
    this.starts.length = 0
  }

  private numbersAt(start: number): Int32Array {
    return (this.blocks[start >> BLOCK_SHIFT] as Block).numbers
  }

  /** The block to be filled, with room for so many numbers more. */
  private blockFor(size: number): Block {
    const known = this.blocks[this.filling]
    const needed = (known?.end ?? 0) + size
    if (known !== undefined && needed <= known.numbers.length) return known
    if (known !== undefined && needed <= BLOCK) {
      const { numbers } = known
      known.numbers = new Int32Array(Math.min(BLOCK, needed + (needed >> ROOM_SHIFT)))
      known.numbers.set(numbers)
      return known
    }
    const block = { numbers: new Int32Array(Math.max(known === undefined ? ROOM_MIN : BLOCK, size)), end: 0, gone: 0 }
    this.filling = this.unused?.pop() ?? this.blocks.length
    if (this.filling === this.blocks.length) this.blocks = withNext(this.blocks, block)
    else this.blocks[this.filling] = block
    return block
  }

  /** Moves the lists of a block that are still there behind the others. */
  private empty(number: number): void {
    const { numbers, end } = this.blocks[number] as Block
    if (this.filling === number) this.filling = -1
    for (let at = 0; at < end;) {
      const [document, count] = [numbers[at] as number, numbers[at + 1] as number]
      const next = at + HEAD + count
      if (this.starts[document] === BLOCK * number + at) this.add(document, numbers.subarray(at + HEAD, next))
      at = next
    }
    this.blocks[number] = { numbers: NO_NUMBERS, end: 0, gone: 0 }
    this.unused ??= []
    this.unused.push(number)
  }
}
