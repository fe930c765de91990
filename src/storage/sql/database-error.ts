/** Failure of a database. */

/**
 * Carries only the code (`SQLITE_FULL`, `53100`, `ECONNREFUSED`): the drivers' messages quote addresses, statements and values, which
 * belong in no log. `isRefusal`: the database answered and rolled back; the same request of another writer may succeed. Otherwise the
 * outcome may be unknown.
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
