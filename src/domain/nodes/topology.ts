/** Graph of the parts of a running service, as one subject sees them. */
import type { ActorKind } from '../address.js'

type LinkKind = 'member' | 'backing' | 'attached' | 'registered'

/** One end of a link: an actor of the same subject. */
export interface LinkEnd {
  readonly kind: ActorKind
  readonly id: string
}

/**
 * `source` contributes to `target`: a member to its cluster, a cluster to its region, a region to the observer; and to each of these the
 * session behind it.
 */
export interface ActorLink {
  readonly kind: LinkKind
  readonly source: LinkEnd
  readonly target: LinkEnd
}

/** Public description of an actor: ids, names and states, never memories. */
export interface ActorDescription {
  /** Active state of each state machine of the actor, by the machine's id; for a parallel machine, of its regions. */
  readonly machines: Readonly<Record<string, MachineState>>
  readonly links: readonly ActorLink[]
}

/** In XState's format: the name of a state, or of nested states. */
export type MachineState = string | { readonly [name: string]: MachineState | undefined }

/** An actor that is active on this node. */
export interface LiveActor extends ActorDescription {
  readonly kind: ActorKind
  readonly id: string
}

/** One node and the subject's actors on it. */
export interface NodeDescription {
  readonly nodeId: string
  readonly state: string
  readonly supervisors: readonly { readonly kind: ActorKind; readonly state: string }[]
  readonly live: readonly LiveActor[]
  /** Number of live actors left out. */
  readonly more: number
}

export interface TopologyNode {
  /** Unique in its graph. */
  readonly id: string
  readonly kind: ActorKind | 'service' | 'node' | 'supervisor' | 'embedder' | 'proxy' | 'storage'
  readonly label: string
  /** For an actor `active` or `stored`; for a part the state that it reports. */
  readonly state: string
  /** For a live actor: a session's drift, a region's votes, or the kinds of anomalies that an observer sees. */
  readonly course?: string
}

export interface TopologyEdge {
  readonly source: string
  readonly target: string
  readonly kind: LinkKind | 'supervises' | 'uses'
}

export interface Topology {
  readonly nodes: readonly TopologyNode[]
  readonly edges: readonly TopologyEdge[]
  /** Number of the subject's actors left out. */
  readonly more: number
}

interface TopologyParts {
  /** The node that was asked, then the others. A single node is shown as the service itself. */
  readonly nodes: readonly NodeDescription[]
  /** Parts that the actors use. */
  readonly uses: readonly TopologyNode[]
  /** Actors of the subject known from storage; those that are live too are shown once. */
  readonly stored: readonly NamedActor[]
}

/** An actor with the name given by its owner; null without one. */
export interface NamedActor extends LinkEnd {
  readonly name: string | null
}

/** Builds the graph. Actors linked to a shown actor are shown too, as stored unless they are live. */
export function topologyOf(parts: TopologyParts): Topology {
  const nodes = new Map<string, TopologyNode>()
  const edges = new Map<string, TopologyEdge>()
  const link = (edge: TopologyEdge): void => void edges.set(JSON.stringify([edge.source, edge.target, edge.kind]), edge)
  const names = new Map(parts.stored.map((actor) => [keyOf(actor), actor.name]))
  const addActor = ({ kind, id }: LinkEnd, state: string, course: string | null = null): void => {
    const key = keyOf({ kind, id })
    if (!nodes.has(key)) nodes.set(key, { id: key, kind, label: names.get(key) ?? id, state, ...(course !== null && { course }) })
  }

  const isAlone = parts.nodes.length === 1
  nodes.set(SERVICE, { id: SERVICE, kind: 'service', label: SERVICE, state: parts.nodes[0]?.state ?? 'stopped' })
  for (const part of parts.uses) {
    nodes.set(part.id, part)
    link({ source: SERVICE, target: part.id, kind: 'uses' })
  }
  for (const { nodeId, state, supervisors, live } of parts.nodes) {
    const root = isAlone ? SERVICE : `node:${nodeId}`
    const supervisorOf = (kind: ActorKind): string => (isAlone ? `supervisor:${kind}` : `supervisor:${kind}@${nodeId}`)
    if (!isAlone) {
      nodes.set(root, { id: root, kind: 'node', label: nodeId, state })
      link({ source: SERVICE, target: root, kind: 'supervises' })
    }
    for (const supervisor of supervisors) {
      const id = supervisorOf(supervisor.kind)
      nodes.set(id, { id, kind: 'supervisor', label: supervisor.kind, state: supervisor.state })
      link({ source: root, target: id, kind: 'supervises' })
    }
    for (const actor of live) {
      addActor(actor, 'active', courseOf(actor))
      link({ source: supervisorOf(actor.kind), target: keyOf(actor), kind: 'supervises' })
    }
  }
  for (const actor of parts.stored) addActor(actor, 'stored')
  for (const { kind, source, target } of parts.nodes.flatMap(({ live }) => live).flatMap(({ links }) => links)) {
    addActor(source, 'stored')
    addActor(target, 'stored')
    link({ source: keyOf(source), target: keyOf(target), kind })
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()], more: parts.nodes.reduce((sum, { more }) => sum + more, 0) }
}

/** Regions of the observer's state machine, one per kind of anomaly. */
const ANOMALIES = ['convergence', 'systemicDrift', 'divergence']

function courseOf({ kind, machines }: LiveActor): string | null {
  if (kind === 'session') return stateOf(machines['mind'], 'drift')
  if (kind === 'region') return stateOf(machines['realignment'], 'votes')
  const { watching } = machines
  if (watching === undefined) return null
  const seen = ANOMALIES.filter((anomaly) => stateOf(watching, anomaly) === 'present')
  return seen.length === 0 ? 'quiet' : seen.join(', ')
}

/** Outermost state within one region of a machine. */
function stateOf(value: MachineState | undefined, region: string): string | null {
  const inner = typeof value === 'object' ? value[region] : undefined
  return typeof inner === 'object' ? (Object.keys(inner)[0] ?? null) : (inner ?? null)
}

const SERVICE = 'service'

/** Kinds contain no colon, so keys are unique. */
function keyOf({ kind, id }: LinkEnd): string {
  return `${kind}:${id}`
}
