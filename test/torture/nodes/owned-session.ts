/** Computes from outside which node owns a session, with the service's own placement. */
import { addressKey, ANONYMOUS_SUBJECT } from '../../../src/domain/address.js'
import { createPlacement } from '../../../src/domain/nodes/rendezvous.js'
import type { Node } from './node-team.js'

/** Name of the node that owns the session while all `nodes` run. */
export function ownerOf(session: string, nodes: readonly Node[]): string | null {
  return createPlacement(nodes.map(({ name }) => name)).ownerOf(addressKey({ kind: 'session', subject: ANONYMOUS_SUBJECT, id: session }))
}

/** A session id, beginning with `prefix`, that the node owns while all `nodes` run. */
export function ownedSession(node: Node, nodes: readonly Node[], prefix: string): string {
  for (let at = 1; ; at++) {
    const session = `${prefix}-${at}`
    if (ownerOf(session, nodes) === node.name) return session
  }
}
