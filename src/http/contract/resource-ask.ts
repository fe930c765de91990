/** The step that every route shares: from path or body to the answer of the resource's owner. */
import type { FastifyRequest } from 'fastify'
import { type ActorKind, type Address, ONLY_ONE } from '../../domain/address.js'
import type { ClusterCommand } from '../../domain/commands/cluster-commands.js'
import type { Command, ReplyOf } from '../../domain/commands/commands.js'
import type { NetworkCommand } from '../../domain/commands/network-commands.js'
import type { ObserverCommand } from '../../domain/commands/observer-commands.js'
import type { RegionCommand } from '../../domain/commands/region-commands.js'
import type { SessionCommand } from '../../domain/commands/session-commands.js'
import { notFound } from '../../domain/errors.js'
import { SESSION_ID_PATTERN } from '../../domain/limits.js'
import { keyedRequestId } from '../../domain/request-keys.js'
import { ownText } from '../../domain/text/own-text.js'
import type { AnswerShares, Ask } from './contracts.js'

/** Milliseconds. A client that waits longer has usually given up; every queue and retry behind HTTP ends within it. */
const REQUEST_DEADLINE_MS = 30_000

/** Owner of the resource, and the request's id, which is never the same for two commands. */
export type Caller = Pick<FastifyRequest, 'subject' | 'id' | 'trace'> & {
  /** Absent: the answer goes to nobody. */
  readonly answerShares?: AnswerShares | undefined
}

/** Commands whose reply refers to rows of the session in memory, or that read these rows piece by piece. */
const REFERRING: ReadonlySet<string> = new Set<SessionCommand['type']>([
  'session.export',
  'session.verify',
  'session.search',
  'session.context',
  'session.memory',
  'memory.list',
  'entity.list'
])

/**
 * Memory that an answer from another node may take here, as multiples of its message length: heap for its texts, which are decoded once,
 * and buffers for its vectors, which stay in the message.
 */
const CROSSED = { heap: 2, buffers: 1 }

/**
 * Asks the caller's own resource with this id. Rejects with its `…_missing` for an id that no resource can have. With a `key` the request's
 * id is derived from the key, the resource and the command, so that the same request is the same one whenever it is sent.
 */
type AskOwned<Commands extends Command> = <C extends Commands>(
  caller: Caller,
  id: string,
  command: C,
  key?: string | null
) => Promise<ReplyOf<C>>

export type AskSession = AskOwned<SessionCommand>
export type AskCluster = AskOwned<ClusterCommand>
export type AskRegion = AskOwned<RegionCommand>

/** Asks a resource of which each caller has exactly one. */
type AskOnly<Commands extends Command> = <C extends Commands>(caller: Caller, command: C) => Promise<ReplyOf<C>>

export type AskObserver = AskOnly<ObserverCommand>
export type AskNetwork = AskOnly<NetworkCommand>

/** Functions with which routes ask, one for each kind of resource. */
interface Asks {
  readonly askSession: AskSession
  readonly askCluster: AskCluster
  /**
   * Asks the session behind a cluster, which has the cluster's id. A session without a cluster refuses these commands as a missing cluster.
   */
  readonly askShared: AskSession
  readonly askRegion: AskRegion
  readonly askObserver: AskObserver
  readonly askNetwork: AskNetwork
}

export function createAsks(ask: Ask): Asks {
  return {
    askSession: createAskOwned(ask, 'session', 'Session'),
    askCluster: createAskOwned(ask, 'cluster', 'Cluster'),
    askShared: createAskOwned(ask, 'session', 'Cluster'),
    askRegion: createAskOwned(ask, 'region', 'Region'),
    askObserver: createAskOnly(ask, 'observer'),
    askNetwork: createAskOnly(ask, 'network')
  }
}

function createAskOnly(ask: Ask, kind: ActorKind) {
  return <C extends Command>(caller: Caller, command: C): Promise<ReplyOf<C>> =>
    ask({ kind, subject: caller.subject, id: ONLY_ONE }, command, optionsOf(caller))
}

/** An answer that another node sends in parts is copied here until it is passed on, and counts towards memory meanwhile. */
function optionsOf({ id: requestId, answerShares, trace }: Caller) {
  const largeAnswer = (bytes: number): void => answerShares?.holds({ heap: CROSSED.heap * bytes, buffers: CROSSED.buffers * bytes })
  return { deadlineMs: REQUEST_DEADLINE_MS, requestId, largeAnswer: answerShares && largeAnswer, trace: trace ?? undefined }
}

function createAskOwned(ask: Ask, kind: ActorKind, name: 'Session' | 'Cluster' | 'Region') {
  return async <C extends Command>(caller: Caller, id: string, command: C, key?: string | null): Promise<ReplyOf<C>> => {
    if (!SESSION_ID_PATTERN.test(id)) throw notFound(name)
    // An id from a path or a query is part of the address that was called, which may also hold what somebody looked for.
    const address: Address = { kind, subject: caller.subject, id: ownText(id) }
    if (REFERRING.has(command.type)) caller.answerShares?.leaseRecord(address)
    const options = optionsOf(caller)
    return ask(
      address,
      command,
      key == null ? options : { ...options, requestId: keyedRequestId({ subject: caller.subject, key, sessionId: id }, command) }
    )
  }
}
