/** The parts of a running service as one subject sees them, as a graph. */
import type { ActorKind } from './address.js'

export type LinkKind = 'member' | 'backing' | 'attached' | 'registered'

/** One end of a link: an actor of the same subject. */
export interface LinkEnd {
  readonly kind: ActorKind
  readonly id: string
}

/** `source` contributes to `target`: a member to its cluster, that to its region, that to the observer; to each the session behind it. */
export interface ActorLink {
  readonly kind: LinkKind
  readonly source: LinkEnd
  readonly target: LinkEnd
}

/** What an actor shows of itself: ids, names and states, never what it remembers. */
export interface ActorDescription {
  /** The active state of each machine that decides for the actor, by the machine's id; of a parallel one, its regions. */
  readonly machines: Readonly<Record<string, MachineState>>
  readonly links: readonly ActorLink[]
}

/** As XState writes it: a state's name, or the names of the states within. */
export type MachineState = string | { readonly [name: string]: MachineState | undefined }

/** An actor that lives on this node. */
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
  /** Live actors that are left out. */
  readonly more: number
}

export interface TopologyNode {
  /** Unique in its graph. */
  readonly id: string
  readonly kind: ActorKind | 'service' | 'node' | 'supervisor' | 'embedder' | 'proxy' | 'storage'
  readonly label: string
  /** Of an actor `active` or `stored`; of a part what it says of itself. */
  readonly state: string
  /** Of a live actor: how far a session has drifted, where a region's votes are, which kinds of anomalies an observer sees. */
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
  /** Actors of the subject that are left out. */
  readonly more: number
}

export interface TopologyParts {
  /** The node that is asked, then the others. One alone is shown as the service itself. */
  readonly nodes: readonly NodeDescription[]
  /** What the actors use, by what it is. */
  readonly uses: readonly TopologyNode[]
  /** Actors of the subject that are known from storage; those that live as well are shown once. */
  readonly stored: readonly NamedActor[]
}

/** An actor with the name that its owner gave it; null without one. */
export interface NamedActor extends LinkEnd {
  readonly name: string | null
}

/** Puts the graph together. What a shown actor is tied to is shown as well, as stored where it does not live. */
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

/** Regions of an observer's chart: a kind of anomalies each. */
const ANOMALIES = ['convergence', 'systemicDrift', 'divergence']

function courseOf({ kind, machines }: LiveActor): string | null {
  if (kind === 'session') return stateOf(machines['mind'], 'drift')
  if (kind === 'region') return stateOf(machines['realignment'], 'votes')
  const { watching } = machines
  if (watching === undefined) return null
  const seen = ANOMALIES.filter((anomaly) => stateOf(watching, anomaly) === 'present')
  return seen.length === 0 ? 'quiet' : seen.join(', ')
}

/** The outermost state in one region of a machine. */
function stateOf(value: MachineState | undefined, region: string): string | null {
  const inner = typeof value === 'object' ? value[region] : undefined
  return typeof inner === 'object' ? (Object.keys(inner)[0] ?? null) : (inner ?? null)
}

const SERVICE = 'service'

/** Kinds have no colon, so the keys of two actors differ. */
function keyOf({ kind, id }: LinkEnd): string {
  return `${kind}:${id}`
}
