/** Embeds memories that were stored while the embedder was away, and brings the session to the state it would have with their vectors. */
import type { ControlReplies, EmbedPending } from '../../../src/domain/commands/control-commands.js'
import { putEntry } from '../record/entries.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'
import { refold } from '../semantic-state/refold.js'
import { tellDrift } from '../sharing/findings.js'

/** Upper bound on the texts embedded at a time, so that a session with many does not keep others waiting for long. */
const TEXTS_MAX = 64

/** Returns the texts that have waited longest for their vectors, each once. */
export function pendingTexts({ pending, corpus }: SessionState): string[] {
  const oldest = [...pending].flatMap((id) => corpus.get(id)?.memory ?? []).sort((a, b) => a.seq - b.seq)
  return [...new Set(oldest.map(({ text }) => text))].slice(0, TEXTS_MAX)
}

/** Gives pending memories the prepared vectors of their texts, and replays the folds from the first of them on. Does not run a turn. */
export function embedPending(work: Work, _: EmbedPending): ControlReplies['session.embed'] {
  const { state, prepared } = work
  const ids = new Set<string>()
  for (const id of state.pending) {
    const entry = state.corpus.get(id)
    const embedded = entry === undefined ? undefined : prepared.texts.get(entry.memory.text)
    if (entry === undefined || embedded === undefined || embedded.isPending) continue
    const { isPending: _pending, ...memory } = entry.memory
    putEntry(work, { memory: { ...memory, partEnds: embedded.partEnds, vectors: embedded.vectors }, stats: entry.stats })
    ids.add(id)
  }
  const first = state.head.folds.find(({ memoryId }) => ids.has(memoryId))
  const { driftPhase } = state.head
  if (first !== undefined) refold(work, [first.memoryId])
  // The turns themselves could not tell of a drift while their vectors were missing.
  if (driftPhase !== 'drifted' && state.head.driftPhase === 'drifted') tellDrift(work)
  return { embedded: ids.size, pending: state.pending.size }
}
