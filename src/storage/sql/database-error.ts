/** What a database failed with. */

/**
 * Carries the code alone (`SQLITE_FULL`, `53100`, `ECONNREFUSED`): the drivers' own messages quote addresses, statements and
 * values, which belong into no log. `isRefusal`: the database answered, and rolled back what was asked; the same for another
 * writer may succeed. Otherwise the outcome may be unknown.
 */
export class DatabaseError extends Error {
  readonly code: string
  readonly isRefusal: boolean

  constructor(code: string, options: { readonly isRefusal: boolean }) {
    super(`The database failed with ${code}`)
    this.name = 'DatabaseError'
    this.code = code
    this.isRefusal = options.isRefusal
  }
}
