/** A session's head as it is stored: with what a listing wants to know, so that it need not load the session. */
import { type DayCount, type DaySum, sumOf } from '../../../src/domain/day-counts.js'
import type { GivenVectors } from '../../../src/domain/session.js'
import type { Corpus } from '../../../src/retrieval/corpus.js'
import type { SessionHead } from './head.js'
import type { Packs } from './packs.js'
import { NO_TIES, type SessionTies } from './ties.js'

export interface StoredHead {
  /** Its format is a later one where memories are packed: an earlier version would not find them. */
  readonly session: Omit<SessionHead, 'format'> & { readonly format: 1 | 2 }
  readonly ties: SessionTies
  /** Memories held, the expired ones included that no commit has removed yet. */
  readonly memoryCount: number
  /** Epoch seconds at which the first of them expires; null when none does. */
  readonly expiresNext: number | null
  /** Of the days that are kept, in any order. */
  readonly days: readonly DaySum[]
}

export interface StoredSummary {
  readonly modelName: string
  readonly totalMemories: number
  /** Epoch seconds; from then on `totalMemories` is too high. */
  readonly expiresNext: number | null
  /** Epoch seconds. */
  readonly lastActiveAt: number
  /** False: its owner made it for itself, and nothing has come in yet. */
  readonly isUsed: boolean
}

/** Of records with packed memories. */
export const PACKED_FORMAT = 2 as const

/** Whether a session was given any vectors when it was made. */
export function hasVectors({ templateEmbedding, policyVectors }: GivenVectors): boolean {
  return templateEmbedding !== null || policyVectors.length > 0
}

/** What of a session its head tells. */
interface Told {
  readonly head: SessionHead
  readonly ties: SessionTies
  readonly areVectorsApart: boolean
  readonly corpus: Pick<Corpus, 'get' | 'size'>
  readonly expiring: Iterable<string>
  readonly days: Pick<ReadonlyMap<number, DayCount>, 'values'>
  readonly packs: Pick<Packs, 'list'>
}

/**
 * The head for a commit. Vectors among the settings have a row of their own: some megabytes, which would be written with every commit and
 * read with every listing.
 */
export function toStoredHead({ head, ties, corpus, expiring, days, areVectorsApart, packs }: Told): StoredHead {
  let expiresNext: number | null = null
  for (const id of expiring) {
    const expiresAt = corpus.get(id)?.memory.expiresAt ?? null
    if (expiresAt !== null && (expiresNext === null || expiresAt < expiresNext)) expiresNext = expiresAt
  }
  const settings =
    areVectorsApart && hasVectors(head.settings) ? { ...head.settings, templateEmbedding: null, policyVectors: [] } : head.settings
  const session: StoredHead['session'] = { ...head, settings, format: packs.list.length > 0 ? PACKED_FORMAT : head.format }
  return { session, ties, memoryCount: corpus.size, expiresNext, days: [...days.values()].map(sumOf) }
}

/**
 * The head of a record, as a session knows it but for the vectors that have a row. Heads written before drift had a memory have no calm
 * turns.
 */
export function fromStoredHead(stored: unknown): SessionHead {
  const { session } = stored as { readonly session: Omit<SessionHead, 'calmTurns'> & Partial<SessionHead> }
  return { ...session, format: 1, calmTurns: session.calmTurns ?? 0 }
}

/** The ties that a record's head tells. Heads written before there were any have none. */
export function readTies(stored: unknown): SessionTies {
  return (stored as Partial<StoredHead>).ties ?? NO_TIES
}

/** What a record's head says of its session. */
export function readSummary(stored: unknown): StoredSummary {
  const { session, memoryCount, expiresNext } = stored as StoredHead
  const { settings, lastActiveAt } = session
  const isUsed = readTies(stored).backing === null || lastActiveAt > settings.createdAt
  return { modelName: settings.modelName, totalMemories: memoryCount, expiresNext, lastActiveAt, isUsed }
}

/** The days that a record's head tells. Heads written before they were told have none. */
export function readDaySums(stored: unknown): readonly DaySum[] {
  return (stored as Partial<StoredHead>).days ?? []
}
