/** Bodies that may be omitted. */

/** Schema keywords of `compileValidator` that require a body although no single field is required. */
const CONDITIONS = ['x-exactly-one', 'x-at-least-one', 'x-null-is-a-value']

/** Whether an object without fields is valid. A request without a body then counts as one with `{}`. */
export function isBodyOptional(schema: unknown): boolean {
  const { type, required } = (schema ?? {}) as { readonly type?: unknown; readonly required?: unknown }
  return type === 'object' && required === undefined && !CONDITIONS.some((keyword) => keyword in (schema as object))
}
