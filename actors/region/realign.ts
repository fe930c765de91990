/**
 * Realignment of a region: the asks to its clusters, and the steps, which weigh votes, store the consensus, and note that all clusters were
 * pulled. The region's chart decides what follows.
 */
import type { RealignmentEvent, RealignmentTask } from '../../machines/realignment-machine.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { Realign } from '../../src/domain/commands/region-commands.js'
import { votedFraction } from '../../src/domain/coordination/votes.js'
import { fanOut } from '../asking/fan-out.js'
import { askIfThere, type Asking, type CommandAsking } from '../coordination/asking.js'
import { setHead } from '../coordination/kind.js'
import { traceActor } from '../behaviour/trace.js'
import { consensusOf } from './consensus.js'
import { readMetaSession } from './meta-session.js'
import { pull } from './sagas.js'
import { CLUSTER, CONSENSUS, type Consensus, CONSENSUS_ROW, type RegionState } from './state.js'
import type { Half, Work } from './work.js'

/** Tells the chart which fraction of the clusters votes for a realignment now. */
export function weighVotes(work: Work, { isByVote }: { isByVote: boolean }): void {
  const { state, meta } = work
  const { consensusThreshold: threshold, voteWindowS: windowS } = state.head.info
  const fraction = votedFraction(state.clusters.values(), { now: meta.now, windowS })
  tell(work, { type: 'votes.weighed', fraction, threshold, isByVote })
}

/** Does one half of a realignment: gathers the consensus, or pulls the clusters towards it. Null if the realignment is over. */
export async function prepareRealignment(asking: CommandAsking, state: RegionState, { realignmentId }: Realign): Promise<Half | null> {
  if (realignmentId !== state.head.realignmentId) return null
  return state.consensus === null ? gather(asking, state, realignmentId) : pulled(asking, state, realignmentId)
}

async function gather(asking: Asking, state: RegionState, realignmentId: string): Promise<Half> {
  const goneIds: string[] = []
  const answers = await fanOut([...state.clusters.keys()], asking.clock, (id) =>
    askIfThere(asking, { kind: 'cluster', id }, { type: 'cluster.sample' }, (gone) => goneIds.push(gone))
  )
  const samples = answers.filter((answer) => answer !== null)
  const [first] = samples
  const consensus = first === undefined ? null : await consensusOf(samples, await readMetaSession(asking, first), asking.clock)
  return { type: 'gathered', realignmentId, consensus, goneIds }
}

async function pulled(asking: CommandAsking, state: RegionState, realignmentId: string): Promise<Half | null> {
  const goneIds = await pull(asking, state, realignmentId)
  return goneIds && { type: 'pulled', realignmentId, goneIds }
}

/** Applies the result of one half of a realignment, unless that realignment is over or replaced by another. */
export function realign(work: Work, _: Realign, half: Half | null): ReplyOf<Realign> {
  const { state } = work
  const wanted = state.head.progress.work === 'asking' ? 'gathered' : 'pulled'
  if (half?.type !== wanted || half.realignmentId !== state.head.realignmentId) return { isApplied: false }
  for (const id of half.goneIds) dropCluster(work, id)
  weighVotes(work, { isByVote: false })
  if (half.type === 'pulled') tell(work, { type: 'clusters.pulled' })
  else if (half.consensus === null) tell(work, { type: 'consensus.missed' })
  else {
    keepConsensus(work, half.consensus)
    tell(work, { type: 'consensus.found' })
  }
  return { isApplied: true }
}

/** Withdraws a consensus that may contain an erased data subject's memories, found or being gathered, and has it gathered again. */
export function withdrawConsensus(work: Work): void {
  tell(work, { type: 'consensus.withdrawn' })
}

/** Drops a cluster. Returns false if it is not attached. The caller has to weigh the votes. */
export function dropCluster(work: Work, clusterId: string): boolean {
  if (!work.state.clusters.delete(clusterId)) return false
  work.remove.push({ collection: CLUSTER, id: clusterId })
  setHead(work, { clusterCount: work.state.clusters.size })
  return true
}

/** Actions of the step for each task that the chart sets. */
const TASKS: Readonly<Record<RealignmentTask, (work: Work) => void>> = {
  count(work) {
    const { state, services, meta } = work
    setHead(work, { realignmentCount: state.head.realignmentCount + 1, lastRealignment: meta.now })
    services.counters.count({ name: 'realignment' })
    traceWork(work, 'region.realigned')
  },
  ask(work) {
    dropConsensus(work)
    const realignmentId = work.services.ids.uuid()
    setHead(work, { realignmentId })
    tellSelf(work, realignmentId, realignmentId)
    traceWork(work, 'fold.cluster_to_region')
  },
  pull(work) {
    const { realignmentId } = work.state.head
    if (realignmentId !== null) tellSelf(work, `${realignmentId}:pull`, realignmentId)
    traceWork(work, 'fold.region_to_cluster')
  },
  finish(work) {
    dropConsensus(work)
    setHead(work, { realignmentId: null })
  }
}

/** Sends an event to the region's chart, stores its new state in the head, and carries out its tasks. */
function tell(work: Work, event: RealignmentEvent): void {
  const { state } = work
  const tasks = state.chart.tell(event)
  const { votes, work: at } = state.chart.value()
  const { progress } = state.head
  if (votes !== progress.votes || at !== progress.work) setHead(work, { progress: { votes, work: at } })
  for (const task of tasks) TASKS[task](work)
}

function traceWork({ services, state, meta }: Work, kind: 'region.realigned' | 'fold.cluster_to_region' | 'fold.region_to_cluster'): void {
  traceActor(services.tracer, kind, meta.address, { clusters: state.clusters.size })
}

function keepConsensus(work: Work, consensus: Consensus): void {
  work.state.consensus = consensus
  work.put.push({ collection: CONSENSUS, id: CONSENSUS_ROW, body: consensus })
}

function dropConsensus({ state, remove }: Work): void {
  if (state.consensus === null) return
  state.consensus = null
  remove.push({ collection: CONSENSUS, id: CONSENSUS_ROW })
}

/** Posts the next half to the region itself. Awaited: unless it is slow, the realignment is done when the drifted session is answered. */
function tellSelf({ messages, meta }: Work, id: string, realignmentId: string): void {
  messages.push({ id, to: meta.address, command: { type: 'region.realign', realignmentId }, isAwaited: true })
}
