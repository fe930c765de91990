/** The sessions of one user's partition: found by their stored heads, put away, or gathered as one value. */
import type { Address } from '../../src/domain/address.js'
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'
import { sumOf, type Weight } from '../../src/domain/weight.js'
import type { ActorStorage, Clock } from '../../src/ports.js'
import { unlessRefused } from '../asking/answers.js'
import type { Ask } from '../asking/ask.js'
import { fanOut } from '../asking/fan-out.js'
import type { SessionDocument } from '../session/record/document.js'
import { readSummary, readTies } from '../session/record/stored-head.js'
import { weighStored } from '../session/record/weight.js'
import type { LiveSessions } from '../subject/live-sessions.js'
import { weightInHead } from '../weight/ledger.js'
import type { Room } from '../weight/room.js'
import type { PartitionDocument } from './partition-document.js'
import { listSessionIds } from './session-ids.js'

/** Milliseconds for one export: the session may have to be read whole first. */
const EXPORT_MS_MAX = 20_000

/** Sessions and memories of a partition that is serialised: all of them are in memory until the last is written out. */
const PARTITION_SESSIONS_MAX = 1_000
const PARTITION_MEMORIES_MAX = 100_000

export interface PartitionOptions {
  readonly ask: Ask
  readonly clock: Clock
  readonly storage: Pick<ActorStorage, 'list' | 'peek' | 'isDurable'>
  readonly sessions: Pick<LiveSessions, 'activeIds' | 'passivate'>
}

/**
 * Puts the live sessions of a partition away. They are saved as they are: no command is answered before its commit. One that is at work
 * stays until it is idle, and so do all where storage retains nothing, which could not bring them back.
 */
export async function passivatePartition(options: PartitionOptions, { subject }: Address, userId: string): Promise<void> {
  const { storage, clock, sessions } = options
  if (!storage.isDurable) return
  const found = await fanOut(await sessions.activeIds(subject), clock, async (id) => {
    const record = await storage.peek({ kind: 'session', subject, id })
    return record !== null && readTies(record.head).partition === userId ? [id] : []
  })
  await sessions.passivate(subject, found.flat())
}

/** A partition, and what it takes in memory at most. */
export interface GatheredPartition {
  readonly partition: PartitionDocument
  readonly weight: Weight
}

/**
 * Every session of the partition as it is now. Rejects with `limit_reached` when that is too much at once, as `room` does, and with
 * `deadline_passed` once `signal` is aborted.
 */
export async function gatherPartition(
  options: PartitionOptions & { readonly signal: AbortSignal },
  { subject }: Address,
  userId: string,
  room?: Room
): Promise<GatheredPartition> {
  const { ask, clock, storage, signal } = options
  const sessionIds = await listSessionIds(storage, subject)
  let memories = 0
  const found = await fanOut(sessionIds, clock, async (id) => {
    const record = await storage.peek({ kind: 'session', subject, id })
    if (record === null || readTies(record.head).partition !== userId) return []
    memories += readSummary(record.head).totalMemories
    return [{ id, weight: weightInHead(record.head) ?? weighStored(record.head) }]
  })
  const ids = found.flat().map(({ id }) => id)
  if (ids.length > PARTITION_SESSIONS_MAX || memories > PARTITION_MEMORIES_MAX) {
    const limits = `${PARTITION_SESSIONS_MAX} sessions and ${PARTITION_MEMORIES_MAX} memories`
    throw new DomainError('limit_reached', `A partition of more than ${limits} is exported session by session`)
  }
  // Those that live here refer to their sessions, but stay as they are when those change, or go.
  const weight = sumOf(found.flat().map((one) => one.weight))
  room?.hold(weight)
  const documents = await fanOut(ids, clock, async (id) => {
    if (signal.aborted) throw deadlinePassed()
    const asked = ask({ kind: 'session', subject, id }, { type: 'session.export' }, { deadlineMs: EXPORT_MS_MAX })
    const answer = await unlessRefused(asked, ['session_missing'])
    return answer === null ? [] : [{ sessionId: id, document: answer.document as SessionDocument }]
  })
  return { partition: { userId, sessions: documents.flat() }, weight }
}
