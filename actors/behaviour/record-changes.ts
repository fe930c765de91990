/** Puts the changes of several steps together into what one commit writes. */
import type { AuditEntry, RecordChanges, StoredRow } from '../../src/ports.js'

interface RowName {
  readonly collection: string
  readonly id: string
}

export interface GatheredChanges {
  /** Steps gathered so far. */
  readonly steps: number
  add(changes: RecordChanges): void
  /** Writing this leaves the same record as writing each step's changes in turn. */
  merged(): RecordChanges
}

/**
 * The last head wins, as does the last step's wish to be woken, and a row's last put or removal; a clear drops what was gathered before
 * it; audit entries are all kept, in order.
 */
export function gatherChanges(): GatheredChanges {
  let first: RecordChanges | null = null
  let head: unknown
  let wakes = false
  let isCleared = false
  const audit: AuditEntry[] = []
  /** Made with the second step only: most commits carry one. */
  let rows: Map<string, StoredRow | RowName> | null = null

  const fold = (into: Map<string, StoredRow | RowName>, changes: RecordChanges) => {
    if (changes.clear === true) {
      into.clear()
      isCleared = true
    }
    for (const { collection, id } of changes.remove) into.set(rowKey(collection, id), { collection, id })
    for (const row of changes.put) into.set(rowKey(row.collection, row.id), row)
  }

  // A field, not a getter: V8 keeps an object made with one as a dictionary.
  const gathered: { -readonly [Key in keyof GatheredChanges]: GatheredChanges[Key] } = {
    steps: 0,
    add(changes) {
      gathered.steps += 1
      head = changes.head
      wakes = changes.wakes === true
      audit.push(...(changes.audit ?? []))
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

/** Collections are our own names without a NUL, so the first one ends the name whatever the id contains. */
function rowKey(collection: string, id: string): string {
  return `${collection}\u0000${id}`
}
