/** Memories that a session was told together with a message, outside of any turn: they are folded into its state, but are not turns. */
import { FOLD_LOG_MAX } from '../../../src/domain/limits.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { Fold, MemoryEntry } from '../../../src/domain/session.js'
import { putEntry } from '../record/entries.js'
import { foldedShare, isFolded } from '../record/topics.js'
import type { Work } from '../record/work.js'
import { driftInput, driftOf, foldOf, withFold } from '../semantic-state/folds.js'
import { judgeCourse } from '../semantic-state/refold.js'
import { isolatedShareOf } from './isolate.js'

/** Makes the memory one that counts in the session's state, in the present segment. */
export function asFolded(work: Work, entry: MemoryEntry): MemoryEntry {
  if (isFolded(entry)) return entry
  const { state } = work
  return putEntry(work, {
    memory: { ...entry.memory, turn: 0 },
    stats: {
      ...entry.stats,
      segment: state.head.segment,
      share: work.prepared.shares.get(entry.memory.text) ?? isolatedShareOf(state, entry.memory)
    }
  })
}

/**
 * Folds memories in their order, so that later messages are compared with them. They open no segment, and the drift of the last run stays.
 * If they are more than the log holds, only the last ones are measured.
 */
export function* foldTold(work: Work, entries: readonly MemoryEntry[]): Pieces<void> {
  const { state } = work
  for (const entry of entries.slice(-FOLD_LOG_MAX)) {
    state.head = { ...state.head, folds: withFold(state.head.folds, toldFold(work, entry)) }
    yield
  }
  if (entries.length > 0) judgeCourse(work)
}

function toldFold({ state }: Work, entry: MemoryEntry): Fold {
  const { memory } = entry
  const { folds, segment } = state.head
  const isMeasured = memory.role === 'user' && !memory.isPending
  const dissimilarity = isMeasured ? driftOf(state, driftInput(state, memory), folds).dissimilarity : 0
  return foldOf(memory, { turn: 0, segment }, foldedShare(entry), { dissimilarity })
}
