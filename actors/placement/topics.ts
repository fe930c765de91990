/** What nodes call the places where they hear each other. */
import type { NodeName } from '../../src/domain/membership.js'

/** Heartbeats of all nodes. */
export const ALL_MEMBERS = 'engram.members.*'

/** Where one node says that it lives. */
export function membersTopic(nodeId: string): string {
  return `engram.members.${nodeId}`
}

/** Where one incarnation of a node is asked for the actors that it owns: an earlier one never answers for it. */
export function asksTopic({ nodeId, incarnation }: NodeName): string {
  return `engram.nodes.${nodeId}.${incarnation}.asks`
}

/** Where it is asked about itself. */
export function questionsTopic({ nodeId, incarnation }: NodeName): string {
  return `engram.nodes.${nodeId}.${incarnation}.queries`
}

/** Where it is told how many requests others have counted. */
export function countsTopic({ nodeId, incarnation }: NodeName): string {
  return `engram.nodes.${nodeId}.${incarnation}.counts`
}
