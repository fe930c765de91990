/** Sessions of one user's partition: finds them by their stored heads, passivates them, or gathers them as one value. */
import type { Address } from '../../src/domain/address.js'
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'
import { sumOf, type Weight } from '../../src/domain/fairness/weight.js'
import type { ActorStorage } from '../../src/ports.js'
import { unlessRefused } from '../asking/answers.js'
import { fanOut } from '../asking/fan-out.js'
import type { CommandAsking } from '../coordination/asking.js'
import type { SessionDocument } from '../session/record/document.js'
import { readSummary, readTies } from '../session/record/stored-head.js'
import { weighStored } from '../session/record/weight.js'
import { headPages, type IdAndHead } from '../subject/record-pages.js'
import type { LiveSessions } from '../subject/live-sessions.js'
import { weightInHead } from '../weight/ledger.js'
import type { PartitionDocument } from './partition-document.js'
import { listSessionIds } from './session-ids.js'

/** Milliseconds for one export: the session may have to be read whole first. */
const EXPORT_MS_MAX = 20_000

/** Upper bounds on the sessions and memories of a serialised partition: all are in memory until the last is written out. */
const PARTITION_SESSIONS_MAX = 1_000
const PARTITION_MEMORIES_MAX = 100_000

interface PassivationOptions {
  readonly storage: Pick<ActorStorage, 'heads' | 'isDurable'>
  readonly sessions: Pick<LiveSessions, 'activeIds' | 'passivate'>
}

/**
 * Passivates the live sessions of a partition. Nothing is lost: no command is answered before its commit. Busy sessions stay until they are
 * idle. Where storage is not durable, all stay, as they could not be restored.
 */
export async function passivatePartition({ storage, sessions }: PassivationOptions, { subject }: Address, userId: string): Promise<void> {
  if (!storage.isDurable) return
  const found: string[] = []
  for await (const heads of headPages(storage, { kind: 'session', subject, ids: await sessions.activeIds(subject) })) {
    found.push(...inPartition(heads, userId).map(([id]) => id))
  }
  await sessions.passivate(subject, found)
}

interface PartitionAsking extends CommandAsking {
  readonly storage: Pick<ActorStorage, 'list' | 'heads'>
}

/** Whether no session of the subject is in the partition. */
export async function isEmptyPartition({ storage, address: { subject } }: PartitionAsking, userId: string): Promise<boolean> {
  const ids = await listSessionIds(storage, subject)
  for await (const heads of headPages(storage, { kind: 'session', subject, ids })) if (inPartition(heads, userId).length > 0) return false
  return true
}

function inPartition(heads: readonly IdAndHead[], userId: string): readonly IdAndHead[] {
  return heads.filter(([, head]) => readTies(head).partition === userId)
}

/** Partition with the upper bound on its weight in memory. */
export interface GatheredPartition {
  readonly partition: PartitionDocument
  readonly weight: Weight
}

/**
 * Gathers every session of the partition as it is now. Rejects with `limit_reached` if that is too much at once, with the refusal of
 * `room`, and with `deadline_passed` once `signal` is aborted.
 */
export async function gatherPartition(asking: PartitionAsking, userId: string): Promise<GatheredPartition> {
  const { ask, clock, storage, signal, room } = asking
  const { subject } = asking.address
  const sessionIds = await listSessionIds(storage, subject)
  const ids: string[] = []
  const weights: Weight[] = []
  let memories = 0
  for await (const heads of headPages(storage, { kind: 'session', subject, ids: sessionIds })) {
    if (signal.aborted) throw deadlinePassed()
    for (const [id, head] of inPartition(heads, userId)) {
      ids.push(id)
      weights.push(weightInHead(head) ?? weighStored(head))
      memories += readSummary(head).totalMemories
    }
  }
  if (ids.length > PARTITION_SESSIONS_MAX || memories > PARTITION_MEMORIES_MAX) {
    const limits = `${PARTITION_SESSIONS_MAX} sessions or ${PARTITION_MEMORIES_MAX} memories`
    throw new DomainError('limit_reached', `The partition has more than ${limits}: export its sessions one by one`)
  }
  // Held although documents of local sessions share their content: they keep it alive when a session changes or ends.
  const weight = sumOf(weights)
  room.hold(weight)
  const documents = await fanOut(ids, clock, async (id) => {
    if (signal.aborted) throw deadlinePassed()
    const asked = ask({ kind: 'session', subject, id }, { type: 'session.export' }, { deadlineMs: EXPORT_MS_MAX })
    const answer = await unlessRefused(asked, ['session_missing'])
    return answer === null ? [] : [{ sessionId: id, document: answer.document as SessionDocument }]
  })
  return { partition: { userId, sessions: documents.flat() }, weight }
}
