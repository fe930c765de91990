/** What one record weighs in memory, row by row, kept up with its changes: always the sum that weighing every row anew would give. */
import { LeanMap } from '../../src/domain/lean-map.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { plus, type Weight, weightInPlaceOf, WEIGHTLESS, weightOf } from '../../src/domain/weight.js'
import type { RecordChanges, StoredRecord, StoredRow } from '../../src/ports.js'

/**
 * Bytes of heap that every row takes beside its body: its entry in a map of the actor and in this ledger, and the row itself where
 * storage is memory.
 */
export const ROW_BYTES = 160

/** Bytes of a row that is held once. */
export function rowWeight(body: unknown): Weight {
  return plus({ heap: ROW_BYTES, buffers: 0 }, weightOf(body))
}

/** A stored head, as of the version that began to weigh. */
interface WeighedHead {
  readonly weight?: Weight
}

/** What a record weighed at its last commit, by its stored head; undefined where it was not weighed then. */
export function weightInHead(head: unknown): Weight | undefined {
  return (head as WeighedHead | null)?.weight
}

/** Bytes of a row in an actor's memory, wherever it is; null for one that another row stands for. Default: its body, once. */
export type WeighRow = (row: StoredRow) => Weight | null

/** Rows that are weighed in one piece: one of the longest text takes a tenth of a millisecond. */
const ROWS_A_PIECE = 8

/** Weights that are kept to be shared: rows of one kind often weigh the same, and an object for each would be a third of what they cost. */
const SHARED_MAX = 1_024

const sharedWeights = new Map<number, Weight>()

/** The same weight, of an earlier row where there is one. */
function shared(weight: Weight): Weight {
  const known = sharedWeights.get(weight.heap)
  if (known?.buffers === weight.buffers) return known
  if (sharedWeights.size >= SHARED_MAX) sharedWeights.clear()
  sharedWeights.set(weight.heap, weight)
  return weight
}

export interface Ledger {
  /** Of the head and every row. */
  weight(): Weight
  /** Of the rows of one collection. */
  of(collection: string): Weight
  /** Takes a stored record in, row by row. */
  fill(record: Pick<StoredRecord, 'head' | 'rows'>): Pieces<void>
  /** Takes the changes of a commit in. Returns what the rows weighed that it replaces or removes. */
  apply(changes: Pick<RecordChanges, 'head' | 'put' | 'remove' | 'clear'>): Weight
}

/** Of a record without anything. */
export function createLedger(weighRow: WeighRow = ({ body }) => weightOf(body)): Ledger {
  return new RowLedger(weighRow)
}

interface Collection {
  readonly rows: LeanMap<string, Weight>
  sum: Weight
}

/** A class, because each actor has one: functions of its own would weigh more than what they work with. */
class RowLedger implements Ledger {
  private readonly collections = new LeanMap<string, Collection>()
  private head: unknown = null
  private headWeight = WEIGHTLESS
  private rows = WEIGHTLESS

  constructor(private readonly weighRow: WeighRow) {}

  weight(): Weight {
    return plus(this.headWeight, this.rows)
  }

  of(collection: string): Weight {
    return this.collections.get(collection)?.sum ?? WEIGHTLESS
  }

  *fill(record: Pick<StoredRecord, 'head' | 'rows'>): Pieces<void> {
    this.putHead(record.head)
    for (const [at, row] of record.rows.entries()) {
      if (at % ROWS_A_PIECE === 0) yield
      this.put(row)
    }
  }

  apply(changes: Pick<RecordChanges, 'head' | 'put' | 'remove' | 'clear'>): Weight {
    let gone = WEIGHTLESS
    if (changes.clear === true) {
      gone = this.rows
      this.collections.clear()
      this.rows = WEIGHTLESS
    }
    for (const { collection, id } of changes.remove) gone = plus(gone, this.replace(collection, id, null))
    for (const row of changes.put) {
      const replaced = this.put(row)
      if (replaced !== WEIGHTLESS) gone = plus(gone, replaced)
    }
    this.putHead(changes.head)
    return gone
  }

  /** Of one commit's head most is that of the one before. */
  private putHead(head: unknown): void {
    this.headWeight = weightInPlaceOf(this.head, this.headWeight, head)
    this.head = head
  }

  private put(row: StoredRow): Weight {
    const own = this.weighRow(row)
    return this.replace(row.collection, row.id, own === null ? null : shared({ heap: ROW_BYTES + own.heap, buffers: own.buffers }))
  }

  /** Returns what was there before. */
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
