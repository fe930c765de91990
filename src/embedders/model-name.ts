/** Names of models, as clients write them and as sessions keep them. */

/** `fp32`: full precision. `q8`: weights and activations quantised to 8 bits. */
export type Precision = 'fp32' | 'q8'

export interface ModelName {
  /** As on the hub and below the model directory: `name` or `owner/name`. */
  readonly id: string
  /** The very files a session was made with; absent when a client only names the model. */
  readonly pin?: { readonly precision: Precision; readonly digest: string }
}

/** What the hub allows in one part of a name; it cannot start with a dot, and below no part may hold two in a row. */
const PART = '[A-Za-z0-9][A-Za-z0-9._-]{0,95}'
const PATTERN = new RegExp(`^(${PART}(?:/${PART})?)(?:@(fp32|q8)-([0-9a-f]{12}))?$`)

/**
 * Reads a model's name. Null for anything that could leave the model directory or the hub's name space (`..`, absolute paths,
 * backslashes, control characters): a name is client input and is checked here before any file or host is touched.
 */
export function parseModelName(name: string): ModelName | null {
  const match = PATTERN.exec(name)
  const id = match?.[1]
  if (id === undefined || id.includes('..')) return null
  const precision = match?.[2]
  const digest = match?.[3]
  if (precision === undefined || digest === undefined) return { id }
  return { id, pin: { precision: precision === 'q8' ? 'q8' : 'fp32', digest } }
}

/**
 * The name a session keeps: `Xenova/all-MiniLM-L6-v2@q8-0123456789ab`. The first 12 hex digits of the files' SHA-256 are in it
 * because vectors of two versions of one model do not compare.
 */
export function formatModelName(id: string, pin: { precision: Precision; digest: string }): string {
  return `${id}@${pin.precision}-${pin.digest}`
}
