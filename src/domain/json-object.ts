/** Objects of parsed JSON. */
/** Whether a value is an object that is neither null nor a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
