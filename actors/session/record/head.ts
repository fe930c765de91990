/** Head of a session, which every commit writes, and the names of the row collections beside it. */
import { ISOLATION_THRESHOLD_DEFAULT } from '../../../src/domain/limits.js'
import type { DriftPhase, Fold, IsolationLevel, SessionSettings, UnderstandingPhase } from '../../../src/domain/session.js'

/** Written with every commit, so it stays small: no texts, and no vectors in the stored form. Replaced, never mutated. */
export interface SessionHead {
  readonly format: 1
  readonly settings: SessionSettings
  readonly nextSeq: number
  readonly interactionCount: number
  readonly shortCircuits: number
  readonly topicSwitches: number
  /** Oldest first, at most FOLD_LOG_MAX. */
  readonly folds: readonly Fold[]
  /** Id of the last message while it has no answer. */
  readonly openQuestionId: string | null
  /** Topic segment of the last fold. */
  readonly segment: number
  /** Drift score of the last run. */
  readonly driftScore: number
  readonly driftPhase: DriftPhase
  /** Number of consecutive user turns under the drift threshold while the session is drifted; 0 in other phases. */
  readonly calmTurns: number
  readonly phase: UnderstandingPhase
  readonly isolationLevel: IsolationLevel
  readonly isolationThreshold: number
  /** Number of turns that are still pulled back towards the anchors. */
  readonly realignmentRemaining: number
  /** Epoch seconds. */
  readonly lastActiveAt: number
}

/** Names of the row collections of a session record. */
export const MEMORY = 'memory'
export const STATS = 'stats'
/** Packs: many memories and their stats in one row. A stats row of its own overrides the stats in the pack. */
export const PACKED = 'packed'
export const ANCHOR = 'anchor'
export const TRIGGER = 'trigger'
export const DELTA = 'delta'
export const ISOLATION = 'isolation'
export const HELD = 'held'
export const ENTITY = 'entity'
export const GIVEN = 'given'
export const DAY = 'day'
/** Ids of the only row of the isolation collection, and of the only row of the given vectors. */
export const ISOLATION_ROW = 'vectors'
export const GIVEN_ROW = 'vectors'

/** Returns the head of a session without any input. */
export function initialHead(settings: SessionSettings): SessionHead {
  return {
    format: 1,
    settings,
    nextSeq: 1,
    interactionCount: 0,
    shortCircuits: 0,
    topicSwitches: 0,
    folds: [],
    openQuestionId: null,
    segment: 0,
    driftScore: 0,
    driftPhase: 'stable',
    calmTurns: 0,
    phase: 'initialization',
    isolationLevel: 'OPEN',
    isolationThreshold: ISOLATION_THRESHOLD_DEFAULT,
    realignmentRemaining: 0,
    lastActiveAt: settings.createdAt
  }
}
