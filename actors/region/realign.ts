/** The steps of a realignment: weighing votes, keeping the consensus, noting that everyone was pulled. */
import { nextRealignment, type RealignmentCommand } from '../../machines/realignment-machine.js'
import { votedFraction } from '../../src/domain/votes.js'
import type { Realign } from '../../src/domain/region-commands.js'
import type { ReplyOf } from '../../src/domain/commands.js'
import { traceActor } from '../trace.js'
import { CLUSTER, CONSENSUS, CONSENSUS_ROW, type Consensus } from './state.js'
import { setHead, type Work } from './work.js'

/** Asks the machine whether the clusters' votes, as they are now, are a consensus, and does what it says. */
export function weighVotes(work: Work, { isByVote }: { isByVote: boolean }): void {
  const { state, meta } = work
  const { consensusThreshold: threshold, voteWindowS: windowS } = state.head.info
  const fraction = votedFraction(state.clusters.values(), { now: meta.now, windowS })
  decide(work, { type: 'votes.weighed', fraction, threshold, isByVote })
}

/** Keeps what one half of a realignment came to, unless the realignment is over or another one by now. */
export function realign(work: Work, _: Realign): ReplyOf<Realign> {
  const { state, prepared } = work
  const half = state.head.progress.work === 'gathering' ? 'gathered' : 'pulled'
  if (prepared?.half !== half || prepared.realignmentId !== state.head.realignmentId) return { isApplied: false }
  for (const id of prepared.goneIds) dropCluster(work, id)
  weighVotes(work, { isByVote: false })
  if (prepared.half === 'pulled') decide(work, { type: 'clusters.pulled' })
  else if (prepared.consensus === null) decide(work, { type: 'consensus.missed' })
  else {
    keepConsensus(work, prepared.consensus)
    decide(work, { type: 'consensus.found' })
  }
  return { isApplied: true }
}

/** A data subject is erased: what was found with its memories in it, or is being gathered with them, is looked for again. */
export function withdrawConsensus(work: Work): void {
  decide(work, { type: 'consensus.withdrawn' })
}

/** Forgets an attached cluster; false when it is none. The caller weighs the votes. */
export function dropCluster(work: Work, clusterId: string): boolean {
  if (!work.state.clusters.delete(clusterId)) return false
  work.remove.push({ collection: CLUSTER, id: clusterId })
  setHead(work, { clusterCount: work.state.clusters.size })
  return true
}

function decide(work: Work, command: RealignmentCommand): void {
  const { state, meta } = work
  const { progress, tasks } = nextRealignment(state.head.progress, command)
  setHead(work, { progress })
  if (tasks.includes('count')) {
    setHead(work, { realignmentCount: state.head.realignmentCount + 1, lastRealignment: meta.now })
    work.services.counters.count({ name: 'realignment' })
  }
  if (progress.work === 'gathering' || progress.work === 'idle') dropConsensus(work)
  if (progress.work === 'idle') setHead(work, { realignmentId: null })
  if (tasks.includes('gather')) {
    const realignmentId = work.services.ids.uuid()
    setHead(work, { realignmentId })
    tellSelf(work, realignmentId, realignmentId)
  }
  if (tasks.includes('pull') && state.head.realignmentId !== null) tellSelf(work, `${state.head.realignmentId}:pull`, state.head.realignmentId)
  for (const task of tasks) traceActor(work.services.tracer, TRACES[task], meta.address, { clusters: state.clusters.size })
}

/** What the debugger calls them. */
const TRACES = { count: 'region.realigned', gather: 'fold.cluster_to_region', pull: 'fold.region_to_cluster' } as const

function keepConsensus(work: Work, consensus: Consensus): void {
  work.state.consensus = consensus
  work.put.push({ collection: CONSENSUS, id: CONSENSUS_ROW, body: consensus })
}

function dropConsensus({ state, remove }: Work): void {
  if (state.consensus === null) return
  state.consensus = null
  remove.push({ collection: CONSENSUS, id: CONSENSUS_ROW })
}

/** Awaited, so that who drifted finds the realignment done when it has its answer, unless that takes long. */
function tellSelf({ letters, meta }: Work, id: string, realignmentId: string): void {
  letters.push({ id, to: meta.address, command: { type: 'region.realign', realignmentId }, isAwaited: true })
}
