/** Roster of the known nodes: which of them owns which address, and the view that nodes compare. */
import { createHash } from 'node:crypto'
import { type Address, addressKey } from '../../src/domain/address.js'
import { isSameTeam, type Members, type NodeName, placeableNodes } from '../../src/domain/nodes/membership.js'
import { createPlacement } from '../../src/domain/nodes/rendezvous.js'
import type { Cancel } from '../../src/ports.js'

interface Roster {
  /** All known nodes by id. */
  readonly members: Members
  /** Hash of the nodes that can own something; empty while none is known. */
  readonly view: string
  /** Replaces the known nodes. Calls the listeners if that changes more than the times at which they were heard. */
  replace(members: Members): void
  /** Returns the owner of an address; null while no node can own anything. */
  ownerOf(address: Address): NodeName | null
  onChange(listener: () => void): Cancel
  /** Calls the listeners. */
  tell(): void
}

/** Creates an empty roster. `changed`: called with the number of nodes that can own something, before the listeners. */
export function createRoster(changed: (placeable: number) => void): Roster {
  const listeners = new Set<() => void>()
  let members: Members = new Map()
  let placement = createPlacement([])
  let view = ''

  function tell(): void {
    for (const listener of listeners) listener()
  }
  return {
    get members() {
      return members
    },
    get view() {
      return view
    },
    replace(next) {
      const before = members
      members = next
      if (isSameTeam(before, next)) return
      const nodeIds = placeableNodes(next)
      if (nodeIds.join() !== placement.nodeIds.join()) placement = createPlacement(nodeIds)
      view = viewOf(nodeIds, next)
      changed(nodeIds.length)
      tell()
    },
    ownerOf(address) {
      const owner = placement.ownerOf(addressKey(address))
      const member = owner === null ? undefined : members.get(owner)
      return member === undefined ? null : { nodeId: member.nodeId, incarnation: member.incarnation }
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell
  }
}

/** Returns a hash of the nodes that can own something, with their incarnations. */
function viewOf(nodeIds: readonly string[], members: Members): string {
  const names = nodeIds.map((id) => `${id}:${members.get(id)?.incarnation ?? ''}`)
  return createHash('sha256').update(names.join()).digest('hex').slice(0, 16)
}
