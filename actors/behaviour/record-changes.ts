/** Merges the changes of several steps into those of one commit. */
import type { AuditEntry, RecordChanges, StoredRow } from '../../src/ports.js'

interface RowName {
  readonly collection: string
  readonly id: string
}

export interface GatheredChanges {
  /** Number of steps gathered so far. */
  readonly steps: number
  add(changes: RecordChanges): void
  /** Returns changes that leave the same record as writing each step's changes in turn. */
  merged(): RecordChanges
}

/**
 * The last head, the last `wakes`, and a row's last put or removal win. A clear drops all rows gathered before it. All audit entries are
 * kept, in order.
 */
export function gatherChanges(): GatheredChanges {
  let first: RecordChanges | null = null
  let head: unknown
  let wakes = false
  let isCleared = false
  const audit: AuditEntry[] = []
  /** Created with the second step only: most commits hold a single step. */
  let rows: Map<string, StoredRow | RowName> | null = null

  const fold = (into: Map<string, StoredRow | RowName>, changes: RecordChanges) => {
    if (changes.clear === true) {
      into.clear()
      isCleared = true
    }
    for (const { collection, id } of changes.remove) into.set(rowKey(collection, id), { collection, id })
    for (const row of changes.put) into.set(rowKey(row.collection, row.id), row)
  }

  // `steps` is a field, not a getter: V8 turns an object literal with a getter into a dictionary.
  const gathered: { -readonly [Key in keyof GatheredChanges]: GatheredChanges[Key] } = {
    steps: 0,
    add(changes) {
      gathered.steps += 1
      head = changes.head
      wakes = changes.wakes === true
      for (const entry of changes.audit ?? []) audit.push(entry)
      if (gathered.steps === 1) {
        first = changes
        return
      }
      if (rows === null) {
        rows = new Map()
        if (first !== null) fold(rows, first)
      }
      fold(rows, changes)
    },
    merged() {
      if (rows === null) return first ?? { head, put: [], remove: [] }
      const put: StoredRow[] = []
      const remove: RowName[] = []
      for (const row of rows.values()) {
        if ('body' in row) put.push(row)
        else if (!isCleared) remove.push(row)
      }
      return { head, put, remove, ...(isCleared && { clear: true }), ...(audit.length > 0 && { audit }), ...(wakes && { wakes }) }
    }
  }
  return gathered
}

/** Unambiguous for any id: names of collections contain no NUL, so the first NUL ends the name. */
function rowKey(collection: string, id: string): string {
  return `${collection}\u0000${id}`
}
