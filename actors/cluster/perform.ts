/** One command, one step. */
import type { ClusterCommand } from '../../src/domain/commands/cluster-commands.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import { eraseUser, feedBack, spreadFeedback } from './feedback.js'
import { addMember, checkMember, dropMember, expelMember } from './members.js'
import { joinRegion, leaveRegion, noteDrift } from './regions.js'
import { createdCluster, pulledCluster, readCluster, sampleCluster } from './views.js'
import type { Work } from './work.js'

export type ClusterReply = ReplyOf<ClusterCommand>

type CommandOf<T> = Extract<ClusterCommand, { type: T }>
type Steps = { readonly [T in ClusterCommand['type']]: (work: Work, command: CommandOf<T>) => ReplyOf<CommandOf<T>> }

const STEPS: Steps = {
  'cluster.create': createdCluster,
  'cluster.read': readCluster,
  'cluster.delete': () => ({ deleted: true }),
  'cluster.addMember': addMember,
  'cluster.removeMember': expelMember,
  'cluster.dropMember': dropMember,
  'cluster.checkMember': checkMember,
  'cluster.feedback': feedBack,
  'cluster.spread': spreadFeedback,
  'cluster.noteDrift': noteDrift,
  'cluster.joinRegion': joinRegion,
  'cluster.leaveRegion': leaveRegion,
  'cluster.pull': pulledCluster,
  'cluster.sample': sampleCluster,
  'user.erase': eraseUser
}

/** Runs the command to its end. Refusals leave the cluster as it was. */
export function perform(work: Work, command: ClusterCommand): ClusterReply {
  const step = STEPS[command.type] as (work: Work, command: ClusterCommand) => ClusterReply
  return step(work, command)
}
