/** Vectors made up for: what was taken in while the embedder was away becomes what it would have been. */
import type { ControlReplies, EmbedPending } from '../../../src/domain/commands/control-commands.js'
import { putEntry } from '../record/entries.js'
import type { SessionState } from '../record/state.js'
import type { Work } from '../record/work.js'
import { refold } from '../semantic-state/refold.js'
import { tellDrift } from '../sharing/findings.js'

/** Texts embedded at a time, so that one session with many keeps no other waiting for long. */
const TEXTS_MAX = 64

/** The texts that wait longest for their vectors, each once. */
export function pendingTexts({ pending, corpus }: SessionState): string[] {
  const oldest = [...pending].flatMap((id) => corpus.get(id)?.memory ?? []).sort((a, b) => a.seq - b.seq)
  return [...new Set(oldest.map(({ text }) => text))].slice(0, TEXTS_MAX)
}

/**
 * Gives pending memories the vectors that were made for their texts, and decides again what was folded since the first of them. No turn is
 * run.
 */
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
  // None of the turns that were made up for could tell of it.
  if (driftPhase !== 'drifted' && state.head.driftPhase === 'drifted') tellDrift(work)
  return { embedded: ids.size, pending: state.pending.size }
}
