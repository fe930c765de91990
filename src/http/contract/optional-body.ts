/** Bodies that may be left out. */

/** Keywords of `compileValidator` by which something has to be given though no single field is required. */
const CONDITIONS = ['x-exactly-one', 'x-at-least-one', 'x-null-is-a-value']

/** Whether an object without any field fits: then a request without a body is as good as one with `{}`. */
export function isBodyOptional(schema: unknown): boolean {
  const { type, required } = (schema ?? {}) as { readonly type?: unknown; readonly required?: unknown }
  return type === 'object' && required === undefined && !CONDITIONS.some((keyword) => keyword in (schema as object))
}
