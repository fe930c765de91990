/** Topics of the messages between nodes. */
import { type Heartbeat, type NodeName, toHeartbeat } from '../../src/domain/nodes/membership.js'

/** Matches the heartbeats of all nodes. */
export const ALL_MEMBERS = 'engram.members.*'

/** Topic of one node's heartbeats. */
export function membersTopic(nodeId: string): string {
  return `engram.members.${nodeId}`
}

/** Topic of asks to the actors that one incarnation of a node owns. An earlier incarnation never answers for it. */
export function asksTopic({ nodeId, incarnation }: NodeName): string {
  return `engram.nodes.${nodeId}.${incarnation}.asks`
}

/** Topic of questions to one incarnation of a node about itself. */
export function questionsTopic({ nodeId, incarnation }: NodeName): string {
  return `engram.nodes.${nodeId}.${incarnation}.queries`
}

/** Topic of request counts sent to one incarnation of a node. */
export function countsTopic({ nodeId, incarnation }: NodeName): string {
  return `engram.nodes.${nodeId}.${incarnation}.counts`
}

/**
 * Parses a heartbeat. The broker decides who may publish on a topic, so the sender named in a message counts only if the topic agrees.
 * Returns null if it is no heartbeat of that sender.
 */
export function heartbeatOn(topic: string, body: unknown): Heartbeat | null {
  const heartbeat = toHeartbeat(body)
  return heartbeat !== null && membersTopic(heartbeat.nodeId) === topic ? heartbeat : null
}
