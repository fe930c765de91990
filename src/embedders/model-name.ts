/** Names of models, as clients write them and as sessions store them. */

/** `fp32`: full precision. `q8`: weights and activations quantised to 8 bits. */
export type Precision = 'fp32' | 'q8'

export interface ModelName {
  /** Name on the hub and in the model directory: `name` or `owner/name`. */
  readonly id: string
  /** Identifies the exact files that a session was made with; absent when a client only names the model. */
  readonly pin?: { readonly precision: Precision; readonly digest: string }
}

/** One part of a name as the hub allows it; cannot start with a dot. Two dots in a row are rejected separately. */
const PART = '[A-Za-z0-9][A-Za-z0-9._-]{0,95}'
const PATTERN = new RegExp(`^(${PART}(?:/${PART})?)(?:@(fp32|q8)-([0-9a-f]{12}))?$`)

/**
 * Parses a model's name. Null for anything that could leave the model directory or the hub's name space (`..`, absolute paths, backslashes,
 * control characters): names are client input and are checked here before any file or host is touched.
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
 * The name that a session stores: `Xenova/all-MiniLM-L6-v2@q8-0123456789ab`. It contains the first 12 hex digits of the files' SHA-256,
 * because vectors of two versions of one model must not be compared.
 */
export function formatModelName(id: string, pin: { precision: Precision; digest: string }): string {
  return `${id}@${pin.precision}-${pin.digest}`
}
