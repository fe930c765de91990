import { placeMind } from './mind.js'
import { keepControls } from './restore.js'
import { initialHead } from './head.js'
import { createTopics } from './topics.js'
import type { Work } from './work.js'

/** Wipes every memory and restarts the session; its settings, controls, hold list and literals stand. Interface, `reset_context`. */
export function resetMemories(work: Work): void {
  const { state, journal } = work
  const { settings, isolationLevel, isolationThreshold } = state.head
  state.corpus.clear()
  state.topics = createTopics(settings.dimension)
  state.longTexts.clear()
  state.expiring.clear()
  state.pending.clear()
  state.deltas.clear()
  state.head = { ...initialHead(settings), isolationLevel, isolationThreshold }
  placeMind(state)
  journal.clear()
  keepControls(work)
}
