/** Stored form of a session's head, with the data that listings show, so that they need not load the session. */
import { type DayCount, type DaySum, sumOf } from '../../../src/domain/day-counts.js'
import type { ExpiryQueue } from '../../../src/domain/collections/expiry-queue.js'
import type { GivenVectors } from '../../../src/domain/session.js'
import type { Corpus } from '../../../src/retrieval/corpus.js'
import type { SessionHead } from './head.js'
import type { Packs } from './packs.js'
import { NO_TIES, type SessionTies } from './ties.js'

export interface StoredHead {
  /** Format 2 where memories are packed: earlier versions, which read format 1, would not find them. */
  readonly session: Omit<SessionHead, 'format'> & { readonly format: 1 | 2 }
  readonly ties: SessionTies
  /** Number of memories, including expired ones that no commit has removed yet. */
  readonly memoryCount: number
  /** Epoch seconds of the earliest expiration; null if no memory expires. */
  readonly expiresNext: number | null
  /** Sums of the kept days, in any order. */
  readonly days: readonly DaySum[]
}

export interface StoredSummary {
  readonly modelName: string
  readonly totalMemories: number
  /** Epoch seconds from which `totalMemories` is too high; null if it stays right. */
  readonly expiresNext: number | null
  /** Epoch seconds. */
  readonly lastActiveAt: number
  /** False: another actor created it for its own use, and it has no input yet. */
  readonly isUsed: boolean
}

/** Format of records with packed memories. */
export const PACKED_FORMAT = 2 as const

/** Whether a session was given any vectors on creation. */
export function hasVectors({ templateEmbedding, policyVectors }: GivenVectors): boolean {
  return templateEmbedding !== null || policyVectors.length > 0
}

/** Parts of a session that its stored head is made of. */
interface Told {
  readonly head: SessionHead
  readonly ties: SessionTies
  readonly areVectorsApart: boolean
  readonly corpus: Pick<Corpus, 'size'>
  readonly expiring: Pick<ExpiryQueue, 'next'>
  readonly days: Pick<ReadonlyMap<number, DayCount>, 'values'>
  readonly packs: Pick<Packs, 'list'>
}

/**
 * Returns the head for a commit. The vectors among the settings have a row of their own: they may be megabytes, which would be written with
 * every commit and read with every listing.
 */
export function toStoredHead({ head, ties, corpus, expiring, days, areVectorsApart, packs }: Told): StoredHead {
  const settings =
    areVectorsApart && hasVectors(head.settings) ? { ...head.settings, templateEmbedding: null, policyVectors: [] } : head.settings
  const session: StoredHead['session'] = { ...head, settings, format: packs.list.length > 0 ? PACKED_FORMAT : head.format }
  return { session, ties, memoryCount: corpus.size, expiresNext: expiring.next(), days: [...days.values()].map(sumOf) }
}

/**
 * Restores the session's head from a stored one, without vectors that have a row of their own. Heads of versions before `calmTurns` get 0
 * for it.
 */
export function fromStoredHead(stored: unknown): SessionHead {
  const { session } = stored as { readonly session: Omit<SessionHead, 'calmTurns'> & Partial<SessionHead> }
  return { ...session, format: 1, calmTurns: session.calmTurns ?? 0 }
}

/** Reads the ties from a stored head. Heads of versions without ties have none. */
export function readTies(stored: unknown): SessionTies {
  return (stored as Partial<StoredHead>).ties ?? NO_TIES
}

/** Reads the listing data from a stored head. */
export function readSummary(stored: unknown): StoredSummary {
  const { session, memoryCount, expiresNext } = stored as StoredHead
  const { settings, lastActiveAt } = session
  const isUsed = readTies(stored).backing === null || lastActiveAt > settings.createdAt
  return { modelName: settings.modelName, totalMemories: memoryCount, expiresNext, lastActiveAt, isUsed }
}

/** Reads the day sums from a stored head. Heads of versions without them have none. */
export function readDaySums(stored: unknown): readonly DaySum[] {
  return (stored as Partial<StoredHead>).days ?? []
}
