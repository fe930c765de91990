/** Steps of a cluster, one per command. */
import { isDeleter } from '../coordination/ending.js'
import type { Steps } from '../coordination/kind.js'
import { eraseUser, feedBack, spreadFeedback } from './feedback.js'
import { addMember, checkMember, dropMember, expelMember } from './members.js'
import { joinRegion, leaveRegion, noteDrift } from './regions.js'
import { createdCluster, pulledCluster, readCluster, sampleCluster } from './views.js'
import type { ClusterKind } from './work.js'

export const STEPS: Steps<ClusterKind> = {
  'cluster.create': createdCluster,
  'cluster.read': readCluster,
  'cluster.delete': ({ state }, command) => ({ deleted: isDeleter(state, command) }),
  'cluster.addMember': addMember,
  'cluster.removeMember': expelMember,
  'cluster.dropMember': dropMember,
  'cluster.checkMember': checkMember,
  'cluster.feedback': feedBack,
  'cluster.spread': spreadFeedback,
  'cluster.noteDrift': noteDrift,
  'cluster.joinRegion': joinRegion,
  'cluster.leaveRegion': leaveRegion,
  'cluster.checkRegion': leaveRegion,
  'cluster.pull': pulledCluster,
  'cluster.sample': sampleCluster,
  'user.erase': eraseUser
}
