/** What every commit of a session writes, and the names of the rows beside it. */
import { ISOLATION_THRESHOLD_DEFAULT } from '../../../src/domain/limits.js'
import type { DriftPhase, Fold, IsolationLevel, SessionSettings, UnderstandingPhase } from '../../../src/domain/session.js'

/** Written with every commit, so it stays small: no text, and as it is stored no vector. Replaced, never mutated. */
export interface SessionHead {
  readonly format: 1
  readonly settings: SessionSettings
  readonly nextSeq: number
  readonly interactionCount: number
  readonly shortCircuits: number
  readonly topicSwitches: number
  /** Oldest first, at most FOLD_LOG_MAX. */
  readonly folds: readonly Fold[]
  /** The last message while nothing has answered it. */
  readonly openQuestionId: string | null
  /** Topic segment of the last fold. */
  readonly segment: number
  /** Of the last run. */
  readonly driftScore: number
  readonly driftPhase: DriftPhase
  /** User turns in a row that stayed under the drift threshold while the session was drifted; 0 in another phase. */
  readonly calmTurns: number
  readonly phase: UnderstandingPhase
  readonly isolationLevel: IsolationLevel
  readonly isolationThreshold: number
  /** Turns that are still pulled back towards the anchors. */
  readonly realignmentRemaining: number
  /** Epoch seconds. */
  readonly lastActiveAt: number
}

/** Names of the row collections of a session record. */
export const MEMORY = 'memory'
export const STATS = 'stats'
/** Many memories and their stats in one row. Stats that also have a row of their own are as that says. */
export const PACKED = 'packed'
export const ANCHOR = 'anchor'
export const TRIGGER = 'trigger'
export const DELTA = 'delta'
export const ISOLATION = 'isolation'
export const HELD = 'held'
export const ENTITY = 'entity'
export const GIVEN = 'given'
export const DAY = 'day'
/** Id of the one row of the isolation collection, and of that of the vectors among the settings. */
export const ISOLATION_ROW = 'vectors'
export const GIVEN_ROW = 'vectors'

/** The head of a session that has not seen any input. */
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
