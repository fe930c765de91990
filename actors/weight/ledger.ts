/** Weight of one record in memory, kept row by row and updated with each change: always equal to the sum of weighing every row anew. */
import { LeanMap } from '../../src/domain/collections/lean-map.js'
import { createPace, isPauseDue, type Pieces } from '../../src/domain/pieces.js'
import { plus, type Weight, weightInPlaceOf, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import type { RecordChanges, StoredRecord, StoredRow } from '../../src/ports.js'

/**
 * Bytes of heap that every row takes beside its body: its entries in a map of the actor and in this ledger, and the row object itself where
 * storage is in memory.
 */
export const ROW_BYTES = 160

/** Weight of a row whose body is in memory once. */
export function rowWeight(body: unknown): Weight {
  return plus({ heap: ROW_BYTES, buffers: 0 }, weightOf(body))
}

/** Stored head with the record's weight. Heads of versions that did not weigh records lack it. */
interface WeighedHead {
  readonly weight?: Weight
}

/** Weight of a record at its last commit, as its stored head tells; undefined where it was not weighed then. */
export function weightInHead(head: unknown): Weight | undefined {
  return (head as WeighedHead | null)?.weight
}

/** Weighs a row as the actor holds it in memory; null for a row that is counted with another. Default: the row's body, once. */
export type WeighRow = (row: StoredRow) => Weight | null

/** Rows weighed in one piece of work: a row with the longest text takes a tenth of a millisecond. */
const ROWS_A_PIECE = 8

/** Changed rows weighed in one piece of work: most commits have fewer, and most rows are short. */
const CHANGES_A_PIECE = 128

/**
 * Upper bound on the interned weights: rows of one kind often weigh the same, and a weight object for each row would be a third of a row's
 * cost.
 */
const SHARED_MAX = 1_024

const sharedWeights = new Map<number, Weight>()

/** Returns the interned object that equals `weight`. */
function shared(weight: Weight): Weight {
  const known = sharedWeights.get(weight.heap)
  if (known?.buffers === weight.buffers) return known
  if (sharedWeights.size >= SHARED_MAX) sharedWeights.clear()
  sharedWeights.set(weight.heap, weight)
  return weight
}

interface Collection {
  readonly rows: LeanMap<string, Weight>
  sum: Weight
}

/** A class rather than closures: every actor has one, and per-instance functions would outweigh the data. */
export class Ledger {
  private readonly collections = new LeanMap<string, Collection>()
  private head: unknown = null
  private headWeight = WEIGHTLESS
  private rows = WEIGHTLESS

  constructor(private readonly weighRow: WeighRow = ({ body }) => weightOf(body)) {}

  /** Weight of the head and all rows. Constant time. */
  weight(): Weight {
    return plus(this.headWeight, this.rows)
  }

  /** Weight of the rows of one collection. Constant time. */
  of(collection: string): Weight {
    return this.collections.get(collection)?.sum ?? WEIGHTLESS
  }

  /** Adds a stored record, row by row, in pieces. */
  *fill(record: Pick<StoredRecord, 'head' | 'rows'>): Pieces<void> {
    this.putHead(record.head)
    for (const [at, row] of record.rows.entries()) {
      if (at % ROWS_A_PIECE === 0) yield
      this.put(row)
    }
  }

  /** Adds the changes of a commit, in pieces where they are many. Returns the weight of the rows that it replaces or removes. */
  *apply(changes: Pick<RecordChanges, 'head' | 'put' | 'remove' | 'clear'>): Pieces<Weight> {
    let gone = WEIGHTLESS
    const pace = createPace()
    if (changes.clear === true) {
      gone = this.rows
      this.collections.clear()
      this.rows = WEIGHTLESS
    }
    for (const { collection, id } of changes.remove) {
      gone = plus(gone, this.replace(collection, id, null))
      if (isPauseDue(pace, 1 / CHANGES_A_PIECE)) yield
    }
    for (const row of changes.put) {
      if (isPauseDue(pace, 1 / CHANGES_A_PIECE)) yield
      const replaced = this.put(row)
      if (replaced !== WEIGHTLESS) gone = plus(gone, replaced)
    }
    this.putHead(changes.head)
    return gone
  }

  /** Weighs only what differs from the head before, of which most objects are reused. */
  private putHead(head: unknown): void {
    this.headWeight = weightInPlaceOf(this.head, this.headWeight, head)
    this.head = head
  }

  private put(row: StoredRow): Weight {
    const own = this.weighRow(row)
    return this.replace(row.collection, row.id, own === null ? null : shared({ heap: ROW_BYTES + own.heap, buffers: own.buffers }))
  }

  /** Sets the weight of a row, null for none. Returns the weight before. */
  private replace(collection: string, id: string, weight: Weight | null): Weight {
    let own = this.collections.get(collection)
    if (own === undefined) {
      own = { rows: new LeanMap(), sum: WEIGHTLESS }
      this.collections.set(collection, own)
    }
    const before = own.rows.get(id) ?? WEIGHTLESS
    if (weight === null && before === WEIGHTLESS) return before
    if (weight === null) own.rows.delete(id)
    else own.rows.set(id, weight)
    const heap = (weight?.heap ?? 0) - before.heap
    const buffers = (weight?.buffers ?? 0) - before.buffers
    own.sum = { heap: own.sum.heap + heap, buffers: own.sum.buffers + buffers }
    this.rows = { heap: this.rows.heap + heap, buffers: this.rows.buffers + buffers }
    return before
  }
}
