/** The debugger of a running service: its tickets, and what it shows of the parts and of one subject's actors. */
import type { Catalog } from '../actors/catalog.js'
import type { Recorder } from './debug/recorder.js'
import { createTickets } from './debug/tickets.js'
import { topologyOf, type LinkEnd, type LiveActor, type Topology, type TopologyNode } from './domain/topology.js'
import type { DebugOptions, Directory } from './http/contracts.js'
import type { Clock, Secrets } from './ports.js'

/** Live actors of one kind in a graph, the most recently used ones: more cannot be told apart on a screen. */
const ACTORS_SHOWN_MAX = 200

export interface DebuggerOptions {
  readonly recorder: Recorder
  readonly clock: Clock
  readonly secrets: Secrets
  readonly catalogs: readonly Catalog[]
  readonly directory: Pick<Directory, 'listClusters' | 'listRegions'>
  readonly nodeState: () => string
  readonly shown: {
    /** Name of the storage's backend. */
    readonly storage: string
    readonly embedderModel: () => string
    readonly hasProxy: boolean
  }
}

/** Nothing of it asks or activates an actor: who is watched is not changed by it. */
export function createDebugger({ recorder, clock, secrets, catalogs, directory, nodeState, shown }: DebuggerOptions): DebugOptions {
  async function topology(subject: string): Promise<Topology> {
    const [clusters, regions] = await Promise.all([directory.listClusters(subject), directory.listRegions(subject)])
    const stored: LinkEnd[] = [
      ...clusters.map(({ clusterId }) => ({ kind: 'cluster', id: clusterId }) as const),
      ...regions.map(({ regionId }) => ({ kind: 'region', id: regionId }) as const),
    ]
    const living = catalogs.map((catalog) => ({ catalog, ids: catalog.activeIds(subject) }))
    return topologyOf({
      service: nodeState(),
      supervisors: catalogs.map(({ kind, isSupervised }) => ({ kind, state: isSupervised ? 'running' : 'restarting' })),
      uses: usedParts(shown),
      live: living.flatMap(({ catalog, ids }) => ids.slice(-ACTORS_SHOWN_MAX).flatMap((id): LiveActor | [] => catalog.describe(subject, id) ?? [])),
      stored,
      more: living.reduce((sum, { ids }) => sum + Math.max(0, ids.length - ACTORS_SHOWN_MAX), 0),
    })
  }

  return {
    recorder,
    clock,
    tickets: createTickets({ clock, secrets }),
    topology,
    actor: ({ kind, subject, id }) => catalogs.find((catalog) => catalog.kind === kind)?.describe(subject, id),
  }
}

function usedParts({ storage, embedderModel, hasProxy }: DebuggerOptions['shown']): TopologyNode[] {
  return [
    { id: 'embedder', kind: 'embedder', label: embedderModel(), state: 'configured' },
    { id: 'proxy', kind: 'proxy', label: 'proxy', state: hasProxy ? 'configured' : 'not_configured' },
    { id: 'storage', kind: 'storage', label: storage, state: 'configured' },
  ]
}
