/** Membership of nodes: what they announce about themselves, and what those who hear it conclude. */

/** States that a node announces. */
const NODE_STATES = [
  /** Listening; owns nothing yet. */
  'joining',
  'up',
  /** Its storage does not answer; it owns something only while no node is up. */
  'unfit',
  /** Cut off from the others for a time; it owns nothing. */
  'isolated',
  'draining',
  'superseded',
  'left'
] as const

export type NodeState = (typeof NODE_STATES)[number]

/** Identifies one start of a node. After an isolation, a node returns under a new incarnation. */
export interface NodeName {
  readonly nodeId: string
  readonly incarnation: string
}

export interface Heartbeat extends NodeName {
  readonly state: NodeState
  /** Sessions in memory. */
  readonly activeSessions: number
  /** Monotonic milliseconds of the sending node. Asks sent to it refer to this time, from which it derives their maximum age. */
  readonly beatMs: number
  /** Hash of the nodes that it considers placeable. If views differ for long, the nodes do not hear the same heartbeats. */
  readonly view: string
  /** Latest record format that it can read; default 1. */
  readonly recordFormat?: number
  /** Number of its connections to the broker so far. With each new one, what was on its way to it may be lost. Default 1. */
  readonly connections?: number
}

export interface Member extends Heartbeat {
  /** When this node heard the heartbeat, in monotonic milliseconds of its own. */
  readonly heardAtMs: number
  /** True if a message to it found nobody, and no heartbeat has come since. */
  readonly isGone: boolean
}

/** Syntax of a node's id, an incarnation or a view. */
const NAME = /^[\w-]{1,64}$/

/** Validates a heartbeat; null if it is malformed. Unknown fields are dropped. */
export function toHeartbeat(body: unknown): Heartbeat | null {
  const {
    nodeId,
    incarnation,
    state,
    activeSessions,
    beatMs,
    view,
    recordFormat = 1,
    connections = 1
  } = (body ?? {}) as Partial<Record<keyof Heartbeat, unknown>>
  if (!isName(nodeId) || !isName(incarnation) || !isState(state)) return null
  // The view is empty when the node knows no placeable node.
  if (!Number.isSafeInteger(activeSessions) || Number(activeSessions) < 0 || !(view === '' || isName(view))) return null
  if (typeof beatMs !== 'number' || !(beatMs >= 0) || !isFromOne(recordFormat) || !isFromOne(connections)) return null
  const counts = { activeSessions: Number(activeSessions), recordFormat, connections }
  return { nodeId, incarnation, state, beatMs, view, ...counts }
}

function isState(value: unknown): value is NodeState {
  return NODE_STATES.includes(value as NodeState)
}

function isFromOne(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/** Nodes by id. */
export type Members = ReadonlyMap<string, Member>

/**
 * Milliseconds without a heartbeat after which a node is suspected, and after which others take over what it owned: three and eight missed
 * heartbeats.
 */
export const SUSPECT_MS = 1_500
export const DEAD_MS = 4_000

/** Milliseconds after which a node that does not hear its own heartbeats gives up what it owns: before others consider it dead. */
export const ISOLATED_MS = 3_000

/** Members after a heartbeat. Of two incarnations of a node, the last heard counts; a node that left is removed. */
export function withHeartbeat(members: Members, heartbeat: Heartbeat, nowMs: number): Members {
  const next = new Map(members)
  if (heartbeat.state === 'left') {
    if (next.get(heartbeat.nodeId)?.incarnation === heartbeat.incarnation) next.delete(heartbeat.nodeId)
  } else {
    const known = next.get(heartbeat.nodeId)
    // A heartbeat that was overtaken by a later one must not turn the time back, nor bring an earlier connection.
    const last = known?.incarnation === heartbeat.incarnation ? known : heartbeat
    const beatMs = Math.max(last.beatMs, heartbeat.beatMs)
    const connections = Math.max(last.connections ?? 1, heartbeat.connections ?? 1)
    next.set(heartbeat.nodeId, { ...heartbeat, beatMs, connections, heardAtMs: nowMs, isGone: false })
  }
  return next
}

/** Members that have been heard recently enough. */
export function withoutSilent(members: Members, nowMs: number): Members {
  return new Map([...members].filter(([, { heardAtMs }]) => nowMs - heardAtMs < DEAD_MS))
}

/** Members after a message to this incarnation found nobody. The node's next heartbeat restores it. */
export function withGone(members: Members, { nodeId, incarnation }: NodeName): Members {
  const member = members.get(nodeId)
  return member?.incarnation !== incarnation ? members : new Map(members).set(nodeId, { ...member, isGone: true })
}

export function isSuspect({ heardAtMs }: Member, nowMs: number): boolean {
  return nowMs - heardAtMs >= SUSPECT_MS
}

/**
 * States that may own, in order of preference: nodes in the first state that any node is in own everything. Draining nodes only finish what
 * they have.
 */
const PLACEABLE: readonly NodeState[] = ['up', 'unfit', 'draining']

/** Ids of the nodes that own everything, ascending by code unit; empty when no node can own. */
export function placeableNodes(members: Members): string[] {
  const present = [...members.values()].filter(({ isGone }) => !isGone)
  for (const state of PLACEABLE) {
    const found = present.filter((member) => member.state === state)
    if (found.length > 0) return found.map(({ nodeId }) => nodeId).sort()
  }
  return []
}

/** Whether every member can read records of this format; members include those present a moment ago. */
export function isReadByAll(members: Iterable<Member>, format: number): boolean {
  for (const { recordFormat = 1 } of members) if (recordFormat < format) return false
  return true
}

/** Whether members are the same apart from the times heard and their load. */
export function isSameTeam(one: Members, other: Members): boolean {
  if (one.size !== other.size) return false
  for (const [id, member] of one) {
    const now = other.get(id)
    if (now?.incarnation !== member.incarnation || now.state !== member.state || now.isGone !== member.isGone) return false
    if (now.connections !== member.connections) return false
  }
  return true
}

/** The member, if it is this incarnation. */
export function memberNamed(members: Members, { nodeId, incarnation }: NodeName): Member | undefined {
  const member = members.get(nodeId)
  return member?.incarnation === incarnation ? member : undefined
}
