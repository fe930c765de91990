/**
 * How records lie in a database without a schema of its own. To be raised when keys or documents change so that an earlier version of the
 * service would misread them; it is then to be written there, where every version looks for it.
 */
export const LAYOUT_VERSION = 1

export function laterLayout(found: number): string {
  return `The database has layout ${String(found)}, made by a later build: this one knows ${String(LAYOUT_VERSION)}`
}
