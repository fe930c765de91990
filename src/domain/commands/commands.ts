/** All commands that actors accept, by kind, with their replies. Plain data, since both cross nodes. */
import type { ClusterCommand, ClusterReplies } from './cluster-commands.js'
import type { NetworkCommand, NetworkReplies } from './network-commands.js'
import type { ObserverCommand, ObserverReplies } from './observer-commands.js'
import type { RegionCommand, RegionReplies } from './region-commands.js'
import type { SessionCommand, SessionReplies } from './session-commands.js'

export type Command = SessionCommand | ClusterCommand | RegionCommand | ObserverCommand | NetworkCommand

interface Replies extends SessionReplies, ClusterReplies, RegionReplies, ObserverReplies, NetworkReplies {}

export type ReplyOf<C extends Command> = Replies[C['type']]

/** Whether a command only reads. All others may change something whenever they run. */
const READING: Readonly<Record<Command['type'], boolean>> = {
  'session.create': false,
  'session.delete': false,
  'session.run': false,
  'session.store': false,
  'session.dedupCheck': true,
  'session.metrics': true,
  'session.days': true,
  'session.context': true,
  'session.memory': true,
  'session.search': true,
  'session.export': true,
  'session.import': false,
  'session.verify': true,
  'session.probe': true,
  'session.sweep': false,
  'session.embed': false,
  'user.erase': false,
  'trigger.set': false,
  'trigger.clear': false,
  'anchor.set': false,
  'anchor.score': true,
  'isolation.set': false,
  'isolation.release': false,
  'isolation.screen': true,
  'memory.inject': false,
  'memory.ingest': false,
  'memory.list': true,
  'memory.edit': false,
  'memory.delete': false,
  'entity.put': false,
  'entity.list': true,
  'entity.remove': false,
  'state.read': true,
  'state.blend': false,
  'state.transfer': false,
  'membership.add': false,
  'membership.remove': false,
  'exchange.learn': false,
  'exchange.collect': false,
  'exchange.read': true,
  'exchange.unlearn': false,
  'exchange.match': true,
  'cluster.create': false,
  'cluster.read': true,
  'cluster.delete': false,
  'cluster.addMember': false,
  'cluster.removeMember': false,
  'cluster.dropMember': false,
  'cluster.checkMember': true,
  'cluster.feedback': false,
  'cluster.spread': false,
  'cluster.noteDrift': false,
  'cluster.joinRegion': false,
  'cluster.leaveRegion': false,
  'cluster.checkRegion': false,
  'cluster.pull': false,
  'cluster.sample': true,
  'region.create': false,
  'region.read': true,
  'region.delete': false,
  'region.attach': false,
  'region.detach': false,
  'region.dropCluster': false,
  'region.checkCluster': true,
  'region.vote': false,
  'region.realign': false,
  'region.events': true,
  'region.sample': true,
  'observer.create': false,
  'observer.summary': true,
  'observer.sample': false,
  'observer.anomalies': true,
  'observer.clear': false,
  'observer.register': false,
  'observer.unregister': false,
  'observer.delete': false,
  'network.switch': false,
  'network.active': true,
  'network.serialize': true,
  'network.consensus': false,
  'network.trust': true,
  'network.dropSession': false
}

/** Whether a command of that type changes nothing. False for unknown types. */
export function isRead({ type }: { readonly type: string }): boolean {
  return Object.hasOwn(READING, type) && READING[type as Command['type']]
}
