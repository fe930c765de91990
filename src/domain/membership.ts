/** Who is there: what nodes say of themselves, and what follows for those who hear it. */

/** What a node says it is. */
export type NodeState =
  /** It listens, and owns nothing yet. */
  | 'joining'
  | 'up'
  /** Its storage does not answer: it owns something only while nobody is up. */
  | 'unfit'
  /** Cut off from the others for a time: it owns nothing. */
  | 'isolated'
  | 'draining'
  | 'superseded'
  | 'left'

/** Names one start of one node: after an isolation a node is another one to the others. */
export interface NodeName {
  readonly nodeId: string
  readonly incarnation: string
}

export interface Heartbeat extends NodeName {
  readonly state: NodeState
  /** Sessions in its memory. */
  readonly activeSessions: number
  /** Monotonic milliseconds of the node itself: by these, asks that are sent to it tell it how old they are at most. */
  readonly beatMs: number
  /** Whom it takes for placeable, as a hash: nodes that differ for long do not hear the same. */
  readonly view: string
  /** The latest format of records that it reads; 1 where it does not say so. */
  readonly recordFormat?: number
}

export interface Member extends Heartbeat {
  /** Monotonic milliseconds of the node that heard it. */
  readonly heardAtMs: number
  /** True: a message to it found nobody there, and it has not been heard since. */
  readonly isGone: boolean
}

const NODE_STATES: ReadonlySet<unknown> = new Set<NodeState>(['joining', 'up', 'unfit', 'isolated', 'draining', 'superseded', 'left'])

/** A node's id, an incarnation or a view, as far as their form goes. */
const NAME = /^[\w-]{1,64}$/

/** What a message says of a node; null for what no node says. Nothing else of it is kept. */
export function toHeartbeat(body: unknown): Heartbeat | null {
  const {
    nodeId,
    incarnation,
    state,
    activeSessions,
    beatMs,
    view,
    recordFormat = 1
  } = (body ?? {}) as Partial<Record<keyof Heartbeat, unknown>>
  if (!isName(nodeId) || !isName(incarnation) || !NODE_STATES.has(state)) return null
  // A node that knows nobody placeable has no view.
  if (!Number.isSafeInteger(activeSessions) || Number(activeSessions) < 0 || !(view === '' || isName(view))) return null
  if (typeof beatMs !== 'number' || !(beatMs >= 0) || !Number.isSafeInteger(recordFormat) || Number(recordFormat) < 1) return null
  const counts = { activeSessions: Number(activeSessions), recordFormat: Number(recordFormat) }
  return { nodeId, incarnation, state: state as NodeState, beatMs, view, ...counts }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** Nodes by their id. */
export type Members = ReadonlyMap<string, Member>

/**
 * Milliseconds without a heartbeat after which a node is suspected, and after which others own what it owned: three and eight missed ones.
 */
export const SUSPECT_MS = 1_500
export const DEAD_MS = 4_000

/** Milliseconds after which a node that hears nothing of itself gives up what it has: before the others take it for dead. */
export const ISOLATED_MS = 3_000

/** The members after a heartbeat. Of two incarnations of a node the one heard last counts; a node that left is not kept. */
export function withHeartbeat(members: Members, heartbeat: Heartbeat, nowMs: number): Members {
  const next = new Map(members)
  if (heartbeat.state === 'left') {
    if (next.get(heartbeat.nodeId)?.incarnation === heartbeat.incarnation) next.delete(heartbeat.nodeId)
  } else {
    const known = next.get(heartbeat.nodeId)
    // One that was overtaken says nothing new of the time.
    const beatMs = known?.incarnation === heartbeat.incarnation ? Math.max(known.beatMs, heartbeat.beatMs) : heartbeat.beatMs
    next.set(heartbeat.nodeId, { ...heartbeat, beatMs, heardAtMs: nowMs, isGone: false })
  }
  return next
}

/** The members without those that have been silent for too long. */
export function withoutSilent(members: Members, nowMs: number): Members {
  return new Map([...members].filter(([, { heardAtMs }]) => nowMs - heardAtMs < DEAD_MS))
}

/** The members after a message to that incarnation found nobody. Its next heartbeat brings it back. */
export function withGone(members: Members, { nodeId, incarnation }: NodeName): Members {
  const member = members.get(nodeId)
  return member?.incarnation !== incarnation ? members : new Map(members).set(nodeId, { ...member, isGone: true })
}

export function isSuspect({ heardAtMs }: Member, nowMs: number): boolean {
  return nowMs - heardAtMs >= SUSPECT_MS
}

/** In this order: what is owned by those of the first kind that anybody is of. The last ones only finish what they have. */
const PLACEABLE: readonly NodeState[] = ['up', 'unfit', 'draining']

/** Ids of the nodes that own everything, ascending by code unit; empty when nobody can. */
export function placeableNodes(members: Members): string[] {
  const present = [...members.values()].filter(({ isGone }) => !isGone)
  for (const state of PLACEABLE) {
    const found = present.filter((member) => member.state === state)
    if (found.length > 0) return found.map(({ nodeId }) => nodeId).sort()
  }
  return []
}

/** Whether nobody who is there, or was a moment ago, would misread a record of that format. */
export function isReadByAll(members: Iterable<Member>, format: number): boolean {
  for (const { recordFormat = 1 } of members) if (recordFormat < format) return false
  return true
}

/** Whether nothing has changed but when they were heard and what they have to do. */
export function isSameTeam(one: Members, other: Members): boolean {
  if (one.size !== other.size) return false
  for (const [id, member] of one) {
    const now = other.get(id)
    if (now?.incarnation !== member.incarnation || now.state !== member.state || now.isGone !== member.isGone) return false
  }
  return true
}

/** The member, while it is that incarnation. */
export function memberNamed(members: Members, { nodeId, incarnation }: NodeName): Member | undefined {
  const member = members.get(nodeId)
  return member?.incarnation === incarnation ? member : undefined
}
