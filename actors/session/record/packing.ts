/**
 * Puts the memories of a session together in rows, and what becomes of one of them into its row: a pack in which a memory is changed or
 * removed is written again without what it was.
 */
import type { Pieces } from '../../../src/domain/pieces.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { MEMORY, PACKED, STATS } from './head.js'
import { type PackedMemories, toPacked, vectorsIn } from './packed-memories.js'
import type { Pack } from './packs.js'
import type { SessionState } from './state.js'
import { weighMemories } from './weight.js'
import type { SessionServices, Work } from './work.js'

/** Packs that as many memories would make as lie alone at most: from then on the first of them go into one. */
const LOOSE_PACKS_MAX = 2

/** Packs that one commit makes of memories that earlier ones wrote: a millisecond, and half a mebibyte to write. */
const REPACKED_MAX = 4

/** Bytes of texts and vectors at which a pack ends. */
const PACK_BYTES = 256 * 1024

type Packing = Pick<SessionServices, 'packedMax' | 'arePacksRead'>

/** Brings the packs up to what the step has changed, in its commit. */
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
    // An update may have made them longer. The first part keeps the row.
    const parts = divided(left)
    if (parts.length === 0) journal.remove(PACKED, String(pack.from))
    const renewed: Pack[] = []
    for (const part of parts) {
      const from = renewed.length === 0 ? pack.from : firstSeq(part)
      renewed.push({ from, to: (part.at(-1) as MemoryEntry).memory.seq })
      const row = packed(state, part)
      journal.put(PACKED, String(from), row)
      // What was taken out must not linger in memory beside what it lay with.
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

/** In packs of no more than PACK_BYTES, unless one memory has more. */
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

/** The memories of the next pack; null while there are too few that lie alone, or nodes that would not find them in one. */
function nextLoose({ packs, corpus, head }: SessionState, { packedMax, arePacksRead }: Packing): MemoryEntry[] | null {
  const looseMax = LOOSE_PACKS_MAX * packedMax
  const last = packs.list.at(-1)?.to ?? 0
  if (head.nextSeq - 1 - last < looseMax) return null
  // A record that has packs is out of their reach, whatever is done to it.
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
