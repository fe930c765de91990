/** All commands that actors accept, by kind, with their replies. Plain data, since both cross nodes. */
import type { ClusterCommand, ClusterReplies } from './cluster-commands.js'
import type { NetworkCommand, NetworkReplies } from './network-commands.js'
import type { ObserverCommand, ObserverReplies } from './observer-commands.js'
import type { RegionCommand, RegionReplies } from './region-commands.js'
import type { SessionCommand, SessionReplies } from './session-commands.js'

export type Command = SessionCommand | ClusterCommand | RegionCommand | ObserverCommand | NetworkCommand

interface Replies extends SessionReplies, ClusterReplies, RegionReplies, ObserverReplies, NetworkReplies {}

export type ReplyOf<C extends Command> = Replies[C['type']]

/** Commands that only read. All others may change something whenever they run. */
const READING: ReadonlySet<string> = new Set<Command['type']>([
  'session.dedupCheck',
  'session.metrics',
  'session.days',
  'session.context',
  'session.memory',
  'session.search',
  'session.export',
  'session.verify',
  'session.probe',
  'anchor.score',
  'isolation.screen',
  'memory.list',
  'entity.list',
  'state.read',
  'exchange.read',
  'exchange.match',
  'cluster.read',
  'cluster.checkMember',
  'cluster.sample',
  'region.read',
  'region.checkCluster',
  'region.events',
  'region.sample',
  'observer.summary',
  'observer.anomalies',
  'network.active',
  'network.serialize',
  'network.trust'
])

/** Whether a command of that type changes nothing. False for unknown types. */
export function isRead({ type }: { readonly type: string }): boolean {
  return READING.has(type)
}
