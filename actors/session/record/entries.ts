/** Adds and removes the memories of a session. The only place that does, so that corpus, topics and id sets always agree. */
import type { MemoryEntry } from '../../../src/domain/session.js'
import { toWordList, type WordList } from '../../../src/domain/words/word-list.js'
import { MEMORY, STATS } from './head.js'
import { isShort } from './memory-vector.js'
import { statsOf } from './memory-stats.js'
import { touchPack } from './packs.js'
import type { SessionState } from './state.js'
import { toStoredMemory } from './stored-memory.js'
import type { Work } from './work.js'

/** Puts an entry into the state only, replacing an entry of the same id. `words`: those of its text; by default the text is read. */
export function admit(state: SessionState, entry: MemoryEntry, words?: WordList): void {
  dismiss(state, entry.memory.id)
  enter(state, entry, words)
}

/** Adds an entry with a new id to the state only, as rehydration does. */
export function enter(state: SessionState, entry: MemoryEntry, words?: WordList): void {
  state.corpus.put(entry, words)
  state.topics.add(entry)
  if (!isShort(entry)) state.longTexts.add(entry.memory.id)
  if (entry.memory.expiresAt !== null) state.expiring.add(entry.memory.id, entry.memory.expiresAt)
  if (entry.stats.isPinned) state.pinned.add(entry.memory.id)
  if (entry.memory.isPending) state.pending.add(entry.memory.id)
}

/** Puts an entry into the state and into the step's commit. */
export function putEntry(work: Work, { memory, stats }: MemoryEntry): MemoryEntry {
  const entry = { memory, stats: statsOf(stats) }
  const words = work.prepared.readings.get(entry.memory.text)
  admit(work.state, entry, words && toWordList(words))
  const isPacked = touchPack(work.state.packs, entry.memory.seq)
  if (!isPacked) work.journal.put(MEMORY, entry.memory.id, work.services.storesWords ? toStoredMemory(entry.memory, words) : entry.memory)
  work.journal.put(STATS, entry.memory.id, entry.stats)
  return entry
}

/** Replaces the stats of a memory. The segment must not change: the topics are not updated. */
export function putStats(work: Work, { memory, stats }: MemoryEntry): void {
  const entry = { memory, stats: statsOf(stats) }
  work.state.corpus.put(entry)
  work.journal.put(STATS, entry.memory.id, entry.stats)
}

/** Removes a memory from the state and from storage. The caller has to refold once it has removed all that it wants. */
export function removeEntry(work: Work, id: string): void {
  const known = work.state.corpus.get(id)
  dismiss(work.state, id)
  work.state.corpus.remove(id)
  const isPacked = known !== undefined && touchPack(work.state.packs, known.memory.seq)
  if (!isPacked) work.journal.remove(MEMORY, id)
  work.journal.remove(STATS, id)
}

function dismiss(state: SessionState, id: string): void {
  const known = state.corpus.get(id)
  if (known === undefined) return
  state.topics.remove(known)
  state.longTexts.delete(id)
  state.expiring.delete(id)
  state.pinned.delete(id)
  state.pending.delete(id)
}
