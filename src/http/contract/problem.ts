/** The error that a caller receives. */

/** One finding about one field, in the shape that the interface defines. */
export interface FieldError {
  /** Path of the field: `body`, `query` or `path`, then names and indexes. */
  readonly loc: readonly (string | number)[]
  readonly msg: string
  /** Stable code of the broken rule, such as `missing` or `string_too_short`. */
  readonly type: string
}

/** `['memories', 0, 'text']` → `memories[0].text` */
export function toFieldPath(steps: readonly (string | number)[]): string {
  const path = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  return path.replace(/^\./, '')
}

/** Detail of the 400 for a path that cannot be read. */
export const BAD_PATH = 'The path is not valid percent-encoded UTF-8'

/** A refusal by the HTTP layer itself. The caller receives `detail` unchanged. */
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
