/** The debugger of a running service: its tickets, and its view of the parts and of one subject's actors. */
import type { Peers } from '../../actors/placement/peers.js'
import { processorOf } from '../../actors/scheduling/processor.js'
import { machineCharts } from '../../machines/charts.js'
import type { Recorder } from '../debug/recorder.js'
import { hashOfTicket, type Tickets } from '../debug/tickets.js'
import { ACTOR_KINDS, type Address } from '../domain/address.js'
import {
  type LiveActor,
  type NamedActor,
  type NodeDescription,
  type Topology,
  type TopologyNode,
  topologyOf
} from '../domain/nodes/topology.js'
import type { DebugOptions, Directory } from '../http/contract/contracts.js'
import type { Clock } from '../ports.js'

/** Describes what runs in this process. */
export interface Describe {
  /** Returns the state of the node and the subject's active actors on it. */
  node(subject: string): NodeDescription
  /** Undefined for an actor that is not active here. */
  actor(address: Address): LiveActor | undefined
}

interface DebuggerOptions {
  readonly recorder: Recorder
  readonly clock: Clock
  readonly tickets: Tickets
  readonly describe: Describe
  readonly peers: Peers
  readonly directory: Pick<Directory, 'listClusters' | 'listRegions'>
  readonly shown: {
    /** Name of the storage backend. */
    readonly storage: string
    readonly embedderModel: () => string
    readonly hasProxy: boolean
  }
}

/** Creates the debugger. It never asks or activates an actor, so watching has no side effects. */
export function createDebugger(options: DebuggerOptions): DebugOptions {
  const { recorder, clock, tickets, describe, peers, directory, shown } = options
  const processor = processorOf(clock)
  const describeAll = async (subject: string): Promise<NodeDescription[]> => {
    const { answers } = await peers.askAll({ type: 'node.describe', subject })
    return [await processor.take(subject, () => describe.node(subject)), ...answers]
  }

  async function topology(subject: string): Promise<Topology> {
    const [nodes, clusters, regions] = await Promise.all([
      describeAll(subject),
      directory.listClusters(subject),
      directory.listRegions(subject)
    ])
    const stored: NamedActor[] = [
      ...clusters.map(({ clusterId, name }) => ({ kind: 'cluster', id: clusterId, name }) as const),
      ...regions.map(({ regionId, name }) => ({ kind: 'region', id: regionId, name }) as const)
    ]
    return processor.take(subject, () => topologyOf({ nodes, uses: usedParts(shown), stored }))
  }

  return {
    recorder,
    clock,
    tickets,
    async redeem(ticket) {
      const own = tickets.redeem(ticket)
      if (own !== null) return own
      const { answers } = await peers.askAll({ type: 'ticket.redeem', hash: hashOfTicket(ticket) })
      return answers.find((subject) => subject !== null) ?? null
    },
    charts: machineCharts().map((chart) => ({ ...chart })),
    topology,
    async actor({ kind, subject, id }) {
      const known = ACTOR_KINDS.find((one) => one === kind)
      if (known === undefined) return undefined
      const address = { kind: known, subject, id }
      const here = describe.actor(address)
      if (here !== undefined) return here
      const { answers } = await peers.askAll({ type: 'actor.describe', address })
      return answers.find((there) => there !== null) ?? undefined
    }
  }
}

function usedParts({ storage, embedderModel, hasProxy }: DebuggerOptions['shown']): TopologyNode[] {
  return [
    { id: 'embedder', kind: 'embedder', label: embedderModel(), state: 'configured' },
    { id: 'proxy', kind: 'proxy', label: 'proxy', state: hasProxy ? 'configured' : 'not_configured' },
    { id: 'storage', kind: 'storage', label: storage, state: 'configured' }
  ]
}
