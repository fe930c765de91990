/**
 * Maintains the packs of a session: moves loose memories into packs, and rewrites a pack of which a memory was changed or removed, so that
 * nothing of the old memory is left in it.
 */
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { MEMORY, PACKED, STATS } from './head.js'
import { type PackedMemories, toPacked, vectorsIn } from './packed-memories.js'
import type { Pack } from './packs.js'
import type { SessionState } from './state.js'
import { weighMemories } from './weight.js'
import type { SessionServices, Work } from './work.js'

/** Upper bound on the loose memories, in packs' worth: when it is reached, the oldest loose memories become a pack. */
const LOOSE_PACKS_MAX = 2

/** Upper bound on the packs that one commit makes of memories written by earlier commits: a millisecond, and half a mebibyte to write. */
const REPACKED_MAX = 4

/** Upper bound on the bytes of texts and vectors in a pack. */
const PACK_BYTES = 256 * 1024

type Packing = Pick<SessionServices, 'packedMax' | 'arePacksRead'>

/** Updates the packs for what the step has changed, in the same commit. */
export function* writePacks(work: Work): Pieces<void> {
  const { state, services } = work
  if (services.packedMax === 0) return
  yield* renewTouched(work)
  yield* packLoose(work)
  state.packs.storedSeq = state.head.nextSeq - 1
}

function* renewTouched({ state, journal }: Work): Pieces<void> {
  const { packs, corpus, topics } = state
  for (const pack of packs.touched) {
    const left: MemoryEntry[] = []
    for (const entry of corpus.ordered(pack.from - 1)) {
      if (entry.memory.seq > pack.to) break
      left.push(entry)
    }
    // Updates may have made the pack too large: it is split, and the first part keeps the row.
    const parts = divided(left)
    if (parts.length === 0) journal.remove(PACKED, String(pack.from))
    const renewed: Pack[] = []
    for (const part of parts) {
      const from = renewed.length === 0 ? pack.from : firstSeq(part)
      renewed.push({ from, to: (part.at(-1) as MemoryEntry).memory.seq })
      const row = packed(state, part)
      journal.put(PACKED, String(from), row)
      // Memories in memory may refer to the old pack's buffer. They move to the new one, so that removed vectors do not stay in memory.
      for (const { id, vectors } of vectorsIn(row)) {
        topics.rehouse(corpus.get(id) as MemoryEntry, vectors)
        corpus.rehouse(id, vectors)
      }
      yield
    }
    packs.list.splice(packs.list.indexOf(pack), 1, ...renewed)
  }
  packs.touched.clear()
}

/** Divides entries into packs of at most PACK_BYTES; a larger memory gets a pack of its own. */
function divided(entries: readonly MemoryEntry[]): MemoryEntry[][] {
  const parts: MemoryEntry[][] = []
  let bytes = 0
  for (const entry of entries) {
    bytes += bytesOf(entry)
    if (parts.length === 0 || bytes > PACK_BYTES) {
      parts.push([entry])
      bytes = bytesOf(entry)
    } else parts.at(-1)?.push(entry)
  }
  return parts
}

function bytesOf({ memory }: MemoryEntry): number {
  return memory.vectors.byteLength + memory.text.length
}

function firstSeq([first]: readonly MemoryEntry[]): number {
  return (first as MemoryEntry).memory.seq
}

function* packLoose({ state, journal, services }: Work): Pieces<void> {
  const { packs } = state
  let repacked = 0
  while (repacked < REPACKED_MAX) {
    const entries = nextLoose(state, services)
    if (entries === null) return
    if (firstSeq(entries) <= packs.storedSeq) repacked += 1
    for (const { memory } of entries) {
      const isStored = memory.seq <= packs.storedSeq
      for (const collection of [MEMORY, STATS]) {
        if (isStored) journal.remove(collection, memory.id)
        else journal.withdraw(collection, memory.id)
      }
    }
    const from = firstSeq(entries)
    packs.list.push({ from, to: (entries.at(-1) as MemoryEntry).memory.seq })
    journal.put(PACKED, String(from), packed(state, entries))
    yield
  }
}

/** Returns the memories of the next pack; null while there are too few loose ones, or nodes that cannot read packs. */
function nextLoose({ packs, corpus, head }: SessionState, { packedMax, arePacksRead }: Packing): MemoryEntry[] | null {
  const looseMax = LOOSE_PACKS_MAX * packedMax
  const last = packs.list.at(-1)?.to ?? 0
  if (head.nextSeq - 1 - last < looseMax) return null
  // A record that already has packs cannot be read by such nodes anyway.
  if (packs.list.length === 0 && !arePacksRead()) return null
  const loose: MemoryEntry[] = []
  for (const entry of corpus.ordered(last)) {
    loose.push(entry)
    if (loose.length === looseMax) return divided(loose.slice(0, packedMax))[0] ?? null
  }
  return null
}

function packed({ corpus }: SessionState, entries: readonly MemoryEntry[]): PackedMemories {
  const worded = entries.map(({ memory, stats }) => ({ memory, stats, words: corpus.words(memory.id) }))
  return toPacked(worded, weighMemories(entries.map(({ memory }) => memory)))
}
