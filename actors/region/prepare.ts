/** What a region asks of its clusters before a step, and the sagas of commands that change them first. */
import type { RegionCommand } from '../../src/domain/commands/region-commands.js'
import { SESSION_ID_PATTERN } from '../../src/domain/limits.js'
import { fanOut } from '../asking/fan-out.js'
import { askIfThere, type PrepareOptions } from './asking.js'
import { consensusOf } from './consensus.js'
import { readMetaSession } from './meta-session.js'
import { join, leave, leaveAll, pull } from './sagas.js'
import type { Consensus, RegionState } from './state.js'

/** What came of one half of a realignment: for its step to keep, if the realignment is still the one under way. */
export type Prepared =
  | (({ readonly half: 'gathered'; readonly consensus: Consensus | null } | { readonly half: 'pulled' }) & {
      readonly realignmentId: string
      /** Clusters that do not exist any more. */
      readonly goneIds: readonly string[]
    })
  | null

/** Throws what those who are asked refuse with, and `limit_reached` for a full region. */
export async function prepareCommand(options: PrepareOptions, state: RegionState, command: RegionCommand): Promise<Prepared> {
  switch (command.type) {
    case 'region.attach':
      await join(options, state, command.clusterId)
      return null
    case 'region.detach':
      if (!SESSION_ID_PATTERN.test(command.clusterId)) return null
      await leave(options, state, command.clusterId)
      return null
    case 'region.delete':
      await leaveAll(options, state)
      return null
    case 'region.realign':
      if (command.realignmentId !== state.head.realignmentId) return null
      return state.consensus === null ? gather(options, state, command.realignmentId) : pulled(options, state, command.realignmentId)
    default:
      return null
  }
}

async function gather(options: PrepareOptions, state: RegionState, realignmentId: string): Promise<Prepared> {
  const goneIds: string[] = []
  const answers = await fanOut([...state.clusters.keys()], options.clock, (id) =>
    askIfThere(options, state, { id, command: { type: 'cluster.sample' }, goneIds })
  )
  const samples = answers.filter((answer) => answer !== null)
  const [first] = samples
  const consensus =
    first === undefined ? null : await consensusOf(samples, await readMetaSession(options.ask, state.address, first), options.clock)
  return { half: 'gathered', realignmentId, consensus, goneIds }
}

async function pulled(options: PrepareOptions, state: RegionState, realignmentId: string): Promise<Prepared> {
  const goneIds = await pull(options, state, realignmentId)
  return goneIds === null ? null : { half: 'pulled', realignmentId, goneIds }
}
