/** Properties that must hold in every simulation once all faults are over. */
import type { OutboxMessage } from '../../actors/behaviour/behaviour.js'
import { callsOf, type Entry } from '../torture/nodes/history.js'
import { checkHistory } from '../torture/nodes/linearizability.js'
import { isQuestion } from '../torture/tokens.js'
import { addressOf, type Clients } from './clients.js'
import { isLivable } from './life-model.js'
import { type Seen, tokensOf } from './load.js'
import { CLUSTERS, REGION } from './operations.js'
import { NODES, SKEW_S_MAX } from './plan.js'
import { EPOCH_S } from './simulated-process.js'
import type { World } from './world.js'

export interface Violation {
  /** Name of the property. */
  readonly property: string
  readonly detail: string
}

/** Violations in what clients observed and in what was written. */
export function checkSeen({ history, life, turns }: Seen, world: World): Violation[] {
  return [
    ...[...turns].flatMap(([session, counted]) => checkTurns(history, session, counted)),
    ...checkHistory(history).map(({ sort, session, detail }) => ({ property: sort, detail: `${session}: ${detail}` })),
    ...(isLivable(life) ? [] : [{ property: 'life', detail: 'the calls to the session that passes fit no order' }]),
    ...world.journal.violations.map((detail) => ({ property: 'fencing', detail })),
    ...world.failures.map((detail) => ({ property: 'failure', detail }))
  ]
}

/** Each acknowledged run counts as one turn, and each run with an unknown outcome as at most one. */
function checkTurns(history: readonly Entry[], session: string, counted: number): Violation[] {
  const runs = callsOf(history, 'append').filter((call) => call.session === session && call.tokens.some(isQuestion))
  const certain = runs.filter(({ outcome }) => outcome === 'ok').length
  const possible = certain + runs.filter(({ outcome }) => outcome === 'unknown').length
  if (counted >= certain && counted <= possible) return []
  return [{ property: 'turns', detail: `${session} counts ${String(counted)} turns, of ${String(certain)} to ${String(possible)}` }]
}

/** Why the nodes are not settled yet; null if they are. */
export function unsettled(world: World, clients: Clients): string | null {
  const { undelivered } = world.journal
  const [waiting] = undelivered.values()
  if (waiting !== undefined) return `${String(undelivered.size)} outbox messages are not delivered, among them ${waiting.command.type}`
  if (clients.waiting > 0) return `${String(clients.waiting)} commands wait`
  return disagreement(world)
}

/** How the nodes disagree about membership; null if every node knows the current incarnation of each as up, with equal views. */
function disagreement(world: World): string | null {
  for (const node of NODES) {
    const membership = world.nodeOf(node)?.nodes.membership
    if (membership == null) return `${node} does not run`
    const known = membership.members()
    const names = known.map(({ nodeId, incarnation, state, isGone }) => `${nodeId} ${incarnation} ${isGone ? 'gone' : state}`).sort()
    const real = NODES.map((other) => `${other} ${world.nodeOf(other)?.nodes.membership?.self.incarnation ?? ''} up`)
    if (names.join() !== real.join())
      return `${node} knows ${known.map(({ nodeId, state, isGone }) => `${nodeId} ${isGone ? 'gone' : state}`).join(', ')}`
    const views = new Set(known.map(({ view }) => view))
    if (views.size > 1) return `${node} hears different views`
  }
  return null
}

/** Violations in what the clusters and the region know in the end. */
export async function checkSharing({ answers, joined, attachedAtMs }: Seen, world: World, clients: Clients): Promise<Violation[]> {
  const found: Violation[] = []
  const violate = (property: string, detail: string): void => void found.push({ property, detail })
  for (const cluster of CLUSTERS) {
    const view = await clients.insist(addressOf('cluster', cluster), { type: 'cluster.read' }, { entry: 0 })
    const members = (view?.members ?? []).map(({ sessionId }) => sessionId)
    const certain = joined.filter((one) => one.cluster === cluster && one.isCertain).map(({ member }) => member)
    for (const member of certain) if (!members.includes(member)) violate('membership', `${member} is not in ${cluster}`)
    if (new Set(members).size < members.length) violate('membership', `${cluster} lists a member twice`)
    const listing = await clients.insist(addressOf('session', cluster), { type: 'memory.list', limit: 1_000, filter: {} }, { entry: 0 })
    const shared = tokensOf(listing)
    for (const { session, token, isCertain } of answers) {
      const times = shared.filter((one) => one === token).length
      if (times > 1) violate('sharing', `${cluster} has ${token} ${String(times)} times`)
      if (times === 0 && isCertain && certain.includes(session)) violate('sharing', `${cluster} has no ${token} of ${session}`)
    }
  }
  const drifts = new Map(world.journal.posted.flatMap((message) => driftOf(message)))
  // Since clocks differ, a drift with a slightly later time may have come before its cluster was attached, and then is no vote.
  const surelyAttachedS = EPOCH_S + attachedAtMs / 1000 + 2 * SKEW_S_MAX
  const told = await clients.insist(addressOf('region', REGION), { type: 'region.events', limit: 1_000 }, { entry: 0 })
  const events = told?.events ?? []
  const drifted = (clusterId: string, { driftScore, timestamp }: { driftScore: number; timestamp: number }) =>
    `${clusterId} ${String(driftScore)} ${String(timestamp)}`
  const counts = new Map<string, number>()
  for (const event of events) {
    const name = drifted(event.clusterId, event)
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if (!drifts.has(event.eventId)) violate('votes', `${event.eventId} of ${event.clusterId} is counted, and nobody drifted so`)
  }
  for (const [name, count] of counts) if (count > 1) violate('votes', `the drift ${name} is counted ${String(count)} times`)
  for (const [eventId, { clusterId, timestamp }] of drifts)
    if (timestamp > surelyAttachedS && !events.some((event) => event.eventId === eventId))
      violate('votes', `${eventId} of ${clusterId} is not counted`)
  return found
}

interface Drift {
  readonly clusterId: string
  /** Epoch seconds. */
  readonly timestamp: number
}

/** The drift that an outbox message reports, with its event id; empty for other messages. */
function driftOf({ to, command }: OutboxMessage): [string, Drift][] {
  if (command.type !== 'cluster.noteDrift') return []
  const { eventId, timestamp } = command as OutboxMessage['command'] & { readonly eventId: string; readonly timestamp: number }
  return [[eventId, { clusterId: to.id, timestamp }]]
}
