/** Rows of a page, concatenated into a few blocks that can be transferred to another thread without copying. */
import { fromKeyBytes, keyTexts } from '../key-bytes.js'

export interface RowName {
  readonly collection: string
  readonly id: string
}

export interface RowPage {
  /** Concatenated collections of all rows. */
  readonly collections: Uint8Array
  readonly ids: Uint8Array
  readonly bodies: Uint8Array
  /** Byte lengths of the collection, the id and the body of each row. */
  readonly sizes: Uint32Array
  readonly ahead: SizesAhead
  readonly isLast: boolean
}

/** Sizes of the bodies after a page, as far as they were read. */
export interface SizesAhead {
  readonly sizes: Uint32Array
  /** Whether these are the last rows. */
  readonly isEnd: boolean
}

/** One row. Its body lies from `start` to `end` in the page's bodies. */
interface PagedRow {
  readonly collection: string
  readonly id: string
  readonly start: number
  readonly end: number
}

const NUMBERS_A_ROW = 3

/** A page's columns as the database joined them. */
interface JoinedRows {
  /** Decimal numbers, separated by commas. */
  readonly collection_sizes: string | null
  readonly row_id_sizes: string | null
  readonly body_sizes: string | null
  readonly collections: Uint8Array | null
  readonly row_ids: Uint8Array | null
  readonly bodies: Uint8Array | null
}

/** Throws an Error when the columns do not match. */
export function pageOf(joined: JoinedRows | undefined, ahead: SizesAhead): RowPage {
  // A new empty block each time: a block that was transferred is no longer usable.
  const bytesOf = (column: Uint8Array | null | undefined) => column ?? new Uint8Array(0)
  const page = { collections: bytesOf(joined?.collections), ids: bytesOf(joined?.row_ids), bodies: bytesOf(joined?.bodies) }
  const columns = [joined?.collection_sizes, joined?.row_id_sizes, joined?.body_sizes].map((list) => numbersIn(list ?? null))
  const rows = columns[0]?.length ?? 0
  const sizes = new Uint32Array(NUMBERS_A_ROW * rows)
  for (const [column, bytes] of [page.collections, page.ids, page.bodies].entries()) {
    const numbers = columns[column] as Uint32Array
    const total = numbers.reduce((sum, size) => sum + size, 0)
    if (numbers.length !== rows || total !== bytes.byteLength) throw new Error('the database joined the rows of a page to something else')
    for (const [row, size] of numbers.entries()) sizes[NUMBERS_A_ROW * row + column] = size
  }
  return { ...page, sizes, ahead, isLast: ahead.isEnd && ahead.sizes.length === 0 }
}

export function numbersIn(list: string | null): Uint32Array {
  return list === null ? new Uint32Array(0) : Uint32Array.from(list.split(','), Number)
}

/** Yields the rows in order. */
export function* rowsIn({ collections, ids, sizes }: RowPage): Generator<PagedRow, void> {
  const [collectionAt, idAt] = [keyTexts(collections), keyTexts(ids)]
  let named = 0
  let identified = 0
  let start = 0
  // Stryker disable next-line StringLiteral: the first row replaces it, unless its collection is equal
  let collection = ''
  for (let at = 0; at < sizes.length; at += NUMBERS_A_ROW) {
    const name = collectionAt(named, (named += sizes[at] as number))
    // All rows of a collection share one string.
    if (name !== collection) collection = name
    const id = idAt(identified, (identified += sizes[at + 1] as number))
    const end = start + (sizes[at + 2] as number)
    yield { collection, id, start, end }
    start = end
  }
}

/** Returns the name of the last row; null for an empty page. */
export function lastOf({ collections, ids, sizes }: RowPage): RowName | null {
  if (sizes.length === 0) return null
  const [collectionBytes, idBytes] = sizes.subarray(sizes.length - NUMBERS_A_ROW)
  return {
    collection: fromKeyBytes(collections.subarray(collections.length - (collectionBytes as number))),
    id: fromKeyBytes(ids.subarray(ids.length - (idBytes as number)))
  }
}

/** Returns the blocks that can be transferred to another thread. */
export function blocksOf({ collections, ids, bodies, sizes }: RowPage): ArrayBuffer[] {
  return [...new Set([collections, ids, bodies, sizes].map(({ buffer }) => buffer as ArrayBuffer))]
}
