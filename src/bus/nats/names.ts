/**
 * Topics of messages between nodes on NATS. Every topic contains its sender: under `nats.conf` the server lets each node publish only under
 * its own name. So a receiver trusts the topic, and never what a message says about its sender.
 */

/** Topic of one endpoint ("door") of a node's process: `engram.nodes.<node>.<process>.<door>`. Messages add their sender to it. */
const DOOR = /^engram\.nodes\.([\w-]+)\.[\w-]+\.[\w-]+$/

/** One part of a name: a node, or the token of a request. */
const PART = /^[\w-]{1,128}$/

/** The server's name as a responder. No node can have it. */
export const SERVER = '$JS'

/** Returns the node that a door belongs to. Throws for a topic that is no door. */
export function nodeOf(door: string): string {
  const [, node] = DOOR.exec(door) ?? []
  if (node === undefined) throw new RangeError('Only the door of a node can be asked')
  return node
}

/** Topic on which `sender` sends to a door; `*` matches any sender. */
export function requestTopic(door: string, sender: string): string {
  return `${door}.${sender}`
}

/** Returns the sender of a message; null if its topic is not one of this door. */
export function senderOf(name: string, door: string): string | null {
  const sender = name.startsWith(`${door}.`) ? name.slice(door.length + 1) : ''
  return PART.test(sender) ? sender : null
}

/** Topic of one answer. Only `responder` may publish there, and only if it knows the token. `*` matches any. */
export function inbox(asker: string, responder: string, token: string): string {
  return `_INBOX.${asker}.${responder}.${token}`
}

/** Whether `name` is an inbox where `asker` waits for an answer of `responder`. A node may not have answers sent to another one. */
export function isInbox(name: string, asker: string, responder: string): boolean {
  const prefix = inbox(asker, responder, '')
  return name.startsWith(prefix) && PART.test(name.slice(prefix.length))
}
