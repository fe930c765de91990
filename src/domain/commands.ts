/** Every command that actors take, by kind, and what each is answered with. Plain data: both cross nodes. */
import type { ClusterCommand, ClusterReplies } from './cluster-commands.js'
import type { CoordinationReplies } from './coordination-commands.js'
import type { NetworkCommand, NetworkReplies } from './network-commands.js'
import type { ObserverCommand, ObserverReplies } from './observer-commands.js'
import type { RegionCommand, RegionReplies } from './region-commands.js'
import type { SessionCommand, SessionReplies } from './session-commands.js'

export type Command = SessionCommand | ClusterCommand | RegionCommand | ObserverCommand | NetworkCommand

export interface Replies extends SessionReplies, CoordinationReplies, ClusterReplies, RegionReplies, ObserverReplies, NetworkReplies {}

export type ReplyOf<C extends Command> = Replies[C['type']]
