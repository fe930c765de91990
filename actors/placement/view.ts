/** What a node holds the team to be, for comparison with the views of others. */
import { createHash } from 'node:crypto'
import type { Members } from '../../src/domain/nodes/membership.js'

/** Returns a hash of the placeable nodes with their incarnations. */
export function viewOf(nodeIds: readonly string[], members: Members): string {
  const names = nodeIds.map((id) => `${id}:${members.get(id)?.incarnation ?? ''}`)
  return createHash('sha256').update(names.join()).digest('hex').slice(0, 16)
}
