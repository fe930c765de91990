import { initialHead } from '../record/head.js'
import { placeMind } from '../record/mind.js'
import { createPacks } from '../record/packs.js'
import { keepControls } from '../record/restore.js'
import { Topics } from '../record/topics.js'
import type { Work } from '../record/work.js'

/** Wipes all memories and restarts the session. Its settings, controls, hold list and literals stay. Interface, `reset_context`. */
export function resetMemories(work: Work): void {
  const { state, journal } = work
  const { settings, isolationLevel, isolationThreshold } = state.head
  state.corpus.clear()
  state.packs = createPacks()
  state.topics = new Topics(settings.dimension, state.corpus)
  state.longTexts.clear()
  state.expiring.clear()
  state.pinned.clear()
  state.pending.clear()
  state.deltas.clear()
  state.head = { ...initialHead(settings), isolationLevel, isolationThreshold }
  placeMind(state)
  journal.clear()
  keepControls(work)
}
