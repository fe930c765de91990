/** What goes back to a caller whose request failed. */

/** One finding about one field, in the interface's shape. */
export interface FieldError {
  /** Where: `body`, `query` or `path`, then names and indexes. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  /** Stable word for the rule that was broken, such as `missing` or `string_too_short`. */
  readonly type: string
}

/** `['memories', 0, 'text']` → `memories[0].text` */
export function toFieldPath(steps: readonly (string | number)[]): string {
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return path.replace(/^\./, '')
}

/** A request that is refused by HTTP itself. `detail` reaches the caller word for word. */
export class HttpProblem extends Error {
  readonly status: number
  readonly detail: string | readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, detail: string | readonly FieldError[], headers: Readonly<Record<string, string>> = {}) {
    super(typeof detail === 'string' ? detail : 'The request is not valid')
    this.name = 'HttpProblem'
    this.status = status
    this.detail = detail
    this.headers = headers
  }
}
