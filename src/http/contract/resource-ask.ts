/** The step that every route shares: from path or body to an answer of the resource's owner. */
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
import type { Ask } from './contracts.js'

/** A client that waits longer has usually given up; every queue and retry behind us ends within it. */
const REQUEST_DEADLINE_MS = 30_000

/** Whose resource it is, and the id that tells one request from another: never the same for two commands. */
export type Caller = Pick<FastifyRequest, 'subject' | 'id'> & Partial<Pick<FastifyRequest, 'answerShares' | 'trace'>>

/** Commands whose answer refers to rows of the session as they lie in memory, or that look at these piece by piece. */
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
 * Bytes of heap, and of buffers, that an answer from another node takes at most, times its length on the way: texts in it are decoded once,
 * and vectors lie in the message as it came.
 */
const CROSSED = { heap: 2, buffers: 1 }

/** Asks the caller's own resource of that id. Rejects with its `…_missing` for an id that none can have. */
type AskOwned<Commands extends Command> = <C extends Commands>(caller: Caller, id: string, command: C) => Promise<ReplyOf<C>>

export type AskSession = AskOwned<SessionCommand>
export type AskCluster = AskOwned<ClusterCommand>
export type AskRegion = AskOwned<RegionCommand>

/** Asks what the caller has one of. */
type AskOnly<Commands extends Command> = <C extends Commands>(caller: Caller, command: C) => Promise<ReplyOf<C>>

export type AskObserver = AskOnly<ObserverCommand>
export type AskNetwork = AskOnly<NetworkCommand>

/** For routes of sessions. */
export function createAskSession(ask: Ask): AskSession {
  return createAskOwned(ask, 'session', 'Session')
}

/** For routes of clusters. */
export function createAskCluster(ask: Ask): AskCluster {
  return createAskOwned(ask, 'cluster', 'Cluster')
}

/** For the session behind a cluster, which has the cluster's id. Any other session refuses these commands: no such cluster. */
export function createAskShared(ask: Ask): AskSession {
  return createAskOwned(ask, 'session', 'Cluster')
}

/** For routes of regions. */
export function createAskRegion(ask: Ask): AskRegion {
  return createAskOwned(ask, 'region', 'Region')
}

/** For routes of the observer. */
export function createAskObserver(ask: Ask): AskObserver {
  return createAskOnly(ask, 'observer')
}

/** For routes of the network. */
export function createAskNetwork(ask: Ask): AskNetwork {
  return createAskOnly(ask, 'network')
}

function createAskOnly(ask: Ask, kind: ActorKind) {
  return <C extends Command>(caller: Caller, command: C): Promise<ReplyOf<C>> =>
    ask({ kind, subject: caller.subject, id: ONLY_ONE }, command, optionsOf(caller))
}

/** Of an answer that another node sends in parts there is a copy here, until it is passed on. */
function optionsOf({ id: requestId, answerShares, trace }: Caller) {
  const largeAnswer = (bytes: number): void => answerShares?.holds({ heap: CROSSED.heap * bytes, buffers: CROSSED.buffers * bytes })
  return { deadlineMs: REQUEST_DEADLINE_MS, requestId, ...(answerShares != null && { largeAnswer }), ...(trace != null && { trace }) }
}

function createAskOwned(ask: Ask, kind: ActorKind, name: 'Session' | 'Cluster' | 'Region') {
  return async <C extends Command>(caller: Caller, id: string, command: C): Promise<ReplyOf<C>> => {
    if (!SESSION_ID_PATTERN.test(id)) throw notFound(name)
    const address: Address = { kind, subject: caller.subject, id }
    if (REFERRING.has(command.type)) caller.answerShares?.refersTo(address)
    return ask(address, command, optionsOf(caller))
  }
}
