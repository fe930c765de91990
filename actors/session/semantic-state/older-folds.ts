/** Rebuilds folds that fell out of the log from their memories, so that an erasure does not leave the state with fewer folds. */
import { FOLD_LOG_MAX } from '../../../src/domain/limits.js'
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import type { SessionState } from '../record/state.js'
import { foldedShare, isFolded } from '../record/topics.js'
import { foldOf } from './folds.js'

export interface OlderFolds {
  /** Oldest first, without inputs that isolation weakened: those do not come back into a log. Their drift has to be measured anew. */
  readonly folds: readonly Fold[]
  /** Whether the session has no fold before them. */
  readonly isWhole: boolean
}

/** Returns the folds before `left`, as many as the log has room for. A log that was never full has none. */
export function olderFolds(state: SessionState, left: readonly Fold[]): OlderFolds {
  const count = FOLD_LOG_MAX - left.length
  if (state.head.folds.length < FOLD_LOG_MAX) return { folds: [], isWhole: true }
  const logged = new Set(left.map((fold) => fold.memoryId))
  const older: MemoryEntry[] = []
  let isWeakenedLeft = false
  for (const entry of state.corpus.backward()) {
    if (!isFolded(entry) || logged.has(entry.memory.id)) continue
    if (foldedShare(entry) < 1) {
      isWeakenedLeft = true
      continue
    }
    older.push(entry)
    if (older.length > count) break
  }
  const folds = older
    .slice(0, count)
    .sort(byTime)
    .map(({ memory, stats }) => foldOf(memory, { turn: memory.turn, segment: stats.segment }, 1))
  return { folds, isWhole: older.length <= count && !isWeakenedLeft }
}

function byTime({ memory: a }: MemoryEntry, { memory: b }: MemoryEntry): number {
  return a.timestamp - b.timestamp || a.turn - b.turn || a.seq - b.seq
}
