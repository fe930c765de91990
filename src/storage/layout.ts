/**
 * Version of the layout of records in databases without a schema. Raise it when keys or documents change so that an earlier version of the
 * service would misread them. It then also has to be written to the database, where every version looks for it.
 */
export const LAYOUT_VERSION = 1

export function laterLayout(found: number): string {
  return `The database has layout ${String(found)}, made by a later build: this one knows ${String(LAYOUT_VERSION)}`
}
