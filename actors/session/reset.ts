import { initialHead, type SessionState } from './state.js'
import { createTopics } from './topics.js'
import type { Work } from './work.js'
import { ANCHOR, DELTA, TRIGGER } from './state.js'

/** Wipes every memory and restarts the session; its settings, anchors, triggers and isolation stand. Interface, `reset_context`. */
export function resetMemories(work: Work): void {
  const { state, journal } = work
  const { settings, isolationLevel, isolationThreshold } = state.head
  state.corpus.clear()
  state.topics = createTopics(settings.dimension)
  state.longTexts.clear()
  state.deltas.clear()
  state.head = { ...initialHead(settings), isolationLevel, isolationThreshold }
  journal.clear()
  keepRows(state, journal.put)
}

function keepRows(state: SessionState, put: (collection: string, id: string, body: unknown) => void): void {
  for (const anchor of state.anchors.values()) put(ANCHOR, anchor.id, anchor)
  for (const trigger of state.triggers.values()) put(TRIGGER, trigger.id, trigger)
  for (const delta of state.deltas.values()) put(DELTA, delta.id, delta)
}
