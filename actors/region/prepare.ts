/** Preparations of a region's commands: asks to its clusters, and sagas that change those first. */
import { fanOut } from '../asking/fan-out.js'
import { askIfThere, type Asking, type CommandAsking } from '../coordination/asking.js'
import type { Preparations } from '../coordination/kind.js'
import { consensusOf } from './consensus.js'
import { readMetaSession } from './meta-session.js'
import { join, leaveAll, pull } from './sagas.js'
import type { RegionState } from './state.js'
import type { Half, RegionKind } from './work.js'

/** They reject with the refusals of those asked, and with `limit_reached` for a full region. */
export const PREPARATIONS: Preparations<RegionKind> = {
  'region.attach': join,
  'region.delete': leaveAll,
  async 'region.realign'(asking, state, { realignmentId }) {
    if (realignmentId !== state.head.realignmentId) return null
    return state.consensus === null ? gather(asking, state, realignmentId) : pulled(asking, state, realignmentId)
  }
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
