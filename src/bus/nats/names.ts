/**
 * What messages between nodes are called on NATS. Every name says who sent the message: a server under `nats.conf` lets each node write
 * its own name only, so a receiver believes the name, and never what the message itself says of its sender.
 */

/** A door of one process of a node: `engram.nodes.<node>.<process>.<door>`. Its messages are called that, and then their sender. */
const DOOR = /^engram\.nodes\.([\w-]+)\.[\w-]+\.[\w-]+$/

/** One part of a name: a node, or the token of an ask. */
const PART = /^[\w-]{1,128}$/

/** The servers' own place among those who answer: no node can be called that. */
export const SERVER = '$JS'

/** The node that a door belongs to. Throws for what is no door. */
export function nodeOf(door: string): string {
  const [, node] = DOOR.exec(door) ?? []
  if (node === undefined) throw new RangeError('Only the door of a node can be asked')
  return node
}

/** Where a node knocks at a door; `*` stands for any node. */
export function knockAt(door: string, sender: string): string {
  return `${door}.${sender}`
}

/** Who knocked; null when the message was not called as one is for this door. */
export function senderOf(name: string, door: string): string | null {
  const sender = name.startsWith(`${door}.`) ? name.slice(door.length + 1) : ''
  return PART.test(sender) ? sender : null
}

/** Where one answer comes: only `responder` may write there, and only for a token that it was given. `*` stands for any. */
export function inbox(asker: string, responder: string, token: string): string {
  return `_INBOX.${asker}.${responder}.${token}`
}

/** Whether `name` is where `asker` waits for an answer by `responder`: nobody is answered in another's place. */
export function isInbox(name: string, asker: string, responder: string): boolean {
  const prefix = inbox(asker, responder, '')
  return name.startsWith(prefix) && PART.test(name.slice(prefix.length))
}
