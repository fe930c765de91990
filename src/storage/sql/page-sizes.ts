/** How many rows make up a page. */
import { NO_BYTES, toKeyBytes } from '../key-bytes.js'
import { ask, type SqlConnection } from './database.js'
import type { RowNameValues } from './page-statements.js'
import { numbersIn, type RowName, type SizesAhead } from './row-page.js'
import type { Statements } from './statements.js'

/**
 * Maximum rows of a page, and the bytes at which it ends, so that reading one blocks nobody for long: some 2 ms. Of pages of a quarter of
 * that, a large record takes a tenth longer to read, as each is an exchange of messages with the thread of the database.
 */
const PAGE_ROWS_MAX = 512
const PAGE_BYTES = 2 * 1024 * 1024

/** Maximum rows whose sizes are read at once, for the next pages: takes a millisecond or two. */
const AHEAD_ROWS_MAX = 1_024

/** The name of a row as statements take it; null is before all rows. */
export function nameValues(name: RowName | null): RowNameValues {
  return name === null ? { collection: NO_BYTES, rowId: NO_BYTES } : { collection: toKeyBytes(name.collection), rowId: toKeyBytes(name.id) }
}

/** Sizes of the rows of a record after one of them. */
export async function sizesAfter(
  connection: SqlConnection,
  statements: Statements,
  { record, after }: { readonly record: number; readonly after: RowName | null }
): Promise<SizesAhead> {
  const [found] = await ask(connection, statements.rowSizes, { record, ...nameValues(after), limit: AHEAD_ROWS_MAX })
  const sizes = numbersIn(found?.sizes ?? null)
  return { sizes, isEnd: sizes.length < AHEAD_ROWS_MAX }
}

/** Returns how many of the first rows make up a page: at least one if there is any. */
export function countWithin(sizes: Uint32Array): number {
  let total = 0
  const end = sizes.findIndex((bytes, row) => row === PAGE_ROWS_MAX || (total += bytes) > PAGE_BYTES)
  return end === -1 ? sizes.length : Math.max(1, end)
}
