/**
 * Packs: memories stored together in one row, column by column. A database reads one large row in a tenth of the time of as many small
 * ones, and values that many memories share, such as words, are read once.
 */
import type { Memory, MemoryEntry, MemoryStats, Role, Tier } from '../../../src/domain/session.js'
import { listOfOne } from '../../../src/domain/collections/short-lists.js'
import type { Weight } from '../../../src/domain/fairness/weight.js'
import { WORDS_VERSION } from '../../../src/domain/words/stored-words.js'
import type { WordList } from '../../../src/domain/words/word-list.js'
import { statsOf } from './memory-stats.js'
import { NO_QUESTIONS } from './stored-memory.js'

/** Stored pack. Lists have one element per memory, in the order of `seq`, unless they say otherwise. */
export interface PackedMemories {
  /** Weight of its memories: as much as in rows of their own. */
  readonly weight: Weight
  readonly ids: readonly string[]
  readonly seqs: Float64Array
  readonly hashes: readonly string[]
  readonly texts: readonly string[]
  readonly roles: Choices<Role>
  readonly users: Choices<string | null>
  readonly tiers: Choices<Tier>
  readonly timestamps: Float64Array
  readonly turns: Float64Array
  /** `replyTo` of the memories that answer questions; `at` is the index in the pack. */
  readonly replies: readonly { readonly at: number; readonly to: readonly string[] }[]
  /** NaN: never expires. */
  readonly expiries: Float64Array
  /** Number of parts of each memory. */
  readonly parts: Uint32Array
  /** End offsets and vectors of the parts of all memories, concatenated. */
  readonly partEnds: Uint32Array
  readonly vectors: Float32Array
  /** Sums of `PENDING`, `PROTECTED` and `PINNED`. */
  readonly flags: Uint8Array
  readonly importances: Float64Array
  readonly accessCounts: Float64Array
  readonly accessedAts: Float64Array
  readonly segments: Float64Array
  /** NaN: none. */
  readonly shares: Float64Array
  readonly words: PackedWords
}

/** Column with few distinct values: the values, and each memory's index into them. */
interface Choices<Value> {
  readonly values: readonly Value[]
  readonly at: Uint8Array
}

interface PackedWords {
  /** WORDS_VERSION at the time of writing. */
  readonly version: number
  /** Distinct words, separated by spaces. */
  readonly terms: string
  /** Word indexes of all memories, concatenated, each memory's in order of first occurrence, with the number of occurrences. */
  readonly numbers: Uint32Array
  readonly counts: Uint32Array
  /** Number of distinct words of each memory, and number of all its words. */
  readonly sizes: Uint32Array
  readonly lengths: Uint32Array
}

const PENDING = 1
const PROTECTED = 2
const PINNED = 4

export interface WordedEntry extends MemoryEntry {
  readonly words: WordList
}

/** Packs at least one memory, and at most as many as an index of `Choices` can tell apart. */
export function toPacked(entries: readonly WordedEntry[], weight: Weight): PackedMemories {
  const memories = entries.map(({ memory }) => memory)
  const stats = entries.map(({ stats: own }) => own)
  return {
    weight,
    ids: memories.map(({ id }) => id),
    seqs: Float64Array.from(memories, ({ seq }) => seq),
    hashes: memories.map(({ hash }) => hash),
    texts: memories.map(({ text }) => text),
    roles: toChoices(memories.map(({ role }) => role)),
    users: toChoices(memories.map(({ userId }) => userId)),
    tiers: toChoices(memories.map(({ baseTier }) => baseTier)),
    timestamps: Float64Array.from(memories, ({ timestamp }) => timestamp),
    turns: Float64Array.from(memories, ({ turn }) => turn),
    replies: memories.flatMap(({ replyTo }, at) => (replyTo.length > 0 ? [{ at, to: replyTo }] : [])),
    expiries: Float64Array.from(memories, ({ expiresAt }) => expiresAt ?? NaN),
    parts: Uint32Array.from(memories, ({ partEnds }) => partEnds.length),
    partEnds: Uint32Array.from(memories.flatMap(({ partEnds }) => partEnds)),
    vectors: joined(memories.map(({ vectors }) => vectors)),
    flags: Uint8Array.from(entries, flagsOf),
    importances: Float64Array.from(stats, ({ importance }) => importance),
    accessCounts: Float64Array.from(stats, ({ accessCount }) => accessCount),
    accessedAts: Float64Array.from(stats, ({ accessedAt }) => accessedAt),
    segments: Float64Array.from(stats, ({ segment }) => segment),
    shares: Float64Array.from(stats, ({ share }) => share ?? NaN),
    words: toPackedWords(entries.map(({ words }) => words))
  }
}

function flagsOf({ memory, stats }: MemoryEntry): number {
  return (memory.isPending ? PENDING : 0) + (stats.isProtected ? PROTECTED : 0) + (stats.isPinned ? PINNED : 0)
}

function toChoices<Value>(chosen: readonly Value[]): Choices<Value> {
  const values = [...new Set(chosen)]
  return { values, at: Uint8Array.from(chosen, (value) => values.indexOf(value)) }
}

function joined(vectors: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(vectors.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const vector of vectors) {
    all.set(vector, at)
    at += vector.length
  }
  return all
}

function toPackedWords(lists: readonly WordList[]): PackedWords {
  const numberOf = new Map<string, number>()
  const numbers: number[] = []
  for (const { terms } of lists) {
    for (const term of terms) {
      const number = numberOf.get(term) ?? numberOf.size
      if (number === numberOf.size) numberOf.set(term, number)
      numbers.push(number)
    }
  }
  return {
    version: WORDS_VERSION,
    terms: [...numberOf.keys()].join(' '),
    numbers: Uint32Array.from(numbers),
    counts: Uint32Array.from(lists.flatMap(({ counts }) => counts)),
    sizes: Uint32Array.from(lists, ({ terms }) => terms.length),
    lengths: Uint32Array.from(lists, ({ length }) => length)
  }
}

/** Memory read from a pack. `words` is null where its text has to be read again. */
interface Unpacked extends MemoryEntry {
  readonly words: WordList | null
}

/** Yields the memories of a pack in order, each built on demand. */
export function* fromPacked(pack: PackedMemories): Generator<Unpacked, void> {
  const wordsOf = packedWords(pack.words)
  const answered = new Map(pack.replies.map(({ at, to }) => [at, to]))
  const dimension = pack.vectors.length / pack.partEnds.length
  const distinct: MemoryStats[] = []
  let part = 0
  for (let at = 0; at < pack.ids.length; at++) {
    const end = part + (pack.parts[at] as number)
    const own = {
      replyTo: answered.get(at) ?? NO_QUESTIONS,
      partEnds: endsOf(pack.partEnds, part, end),
      vectors: pack.vectors.subarray(part * dimension, end * dimension)
    }
    yield { memory: memoryAt(pack, at, own), stats: statsAt(pack, at, distinct), words: wordsOf(at) }
    part = end
  }
}

/** Yields each memory's vectors as a view of the pack's buffer: creating thousands of buffers would take as long as all the rest. */
export function* vectorsIn({ ids, parts, partEnds, vectors }: PackedMemories): Generator<{ id: string; vectors: Float32Array }> {
  const dimension = vectors.length / partEnds.length
  let from = 0
  for (const [at, id] of ids.entries()) {
    const to = from + (parts[at] as number) * dimension
    yield { id, vectors: vectors.subarray(from, to) }
    from = to
  }
}

function endsOf(partEnds: Uint32Array, from: number, to: number): readonly number[] {
  return to - from === 1 ? listOfOne(partEnds[from] as number) : [...partEnds.subarray(from, to)]
}

// Field by field, so that all memories have one hidden class in V8.
function memoryAt(
  pack: PackedMemories,
  at: number,
  { replyTo, partEnds, vectors }: Pick<Memory, 'replyTo' | 'partEnds' | 'vectors'>
): Memory {
  const expiresAt = pack.expiries[at] as number
  const memory = {
    id: pack.ids[at] as string,
    seq: lean(pack.seqs[at] as number),
    hash: pack.hashes[at] as string,
    text: pack.texts[at] as string,
    role: choiceAt(pack.roles, at),
    userId: choiceAt(pack.users, at),
    timestamp: pack.timestamps[at] as number,
    turn: lean(pack.turns[at] as number),
    replyTo,
    baseTier: choiceAt(pack.tiers, at),
    expiresAt: Number.isNaN(expiresAt) ? null : expiresAt,
    partEnds,
    vectors
  }
  return ((pack.flags[at] as number) & PENDING) === 0 ? memory : { ...memory, isPending: true }
}

/** Reads a memory's stats. Where others of the pack have equal ones, as within a batch, they share one object. `distinct`: those so far. */
function statsAt(pack: PackedMemories, at: number, distinct: MemoryStats[]): MemoryStats {
  const flags = pack.flags[at] as number
  const share = pack.shares[at] as number
  const importance = pack.importances[at] as number
  const accessCount = lean(pack.accessCounts[at] as number)
  const accessedAt = pack.accessedAts[at] as number
  const isProtected = (flags & PROTECTED) !== 0
  const segment = lean(pack.segments[at] as number)
  const isPinned = (flags & PINNED) !== 0
  for (const known of distinct) {
    const isAlike =
      known.importance === importance &&
      known.accessedAt === accessedAt &&
      known.accessCount === accessCount &&
      known.isProtected === isProtected &&
      known.segment === segment
    if (isAlike && (known.isPinned ?? false) === isPinned && Object.is(known.share ?? NaN, share)) return known
  }
  const stats = { importance, accessCount, accessedAt, isProtected, segment }
  const hasMore = isPinned || !Number.isNaN(share)
  const own = hasMore ? statsOf({ ...stats, ...(isPinned && { isPinned }), ...(!Number.isNaN(share) && { share }) }) : stats
  distinct.push(own)
  return own
}

/** The same number as V8 keeps it within an object: one read from a list of doubles would be an object of its own. */
function lean(number: number): number {
  const whole = number | 0
  return whole === number ? whole : number
}

function choiceAt<Value>({ values, at }: Choices<Value>, memory: number): Value {
  return values[at[memory] as number] as Value
}

/** Returns a reader of words, to be called once per memory, in order. */
function packedWords({ version, terms, numbers, counts, sizes, lengths }: PackedWords): (memory: number) => WordList | null {
  if (version !== WORDS_VERSION) return () => null
  const all = terms === '' ? [] : terms.split(' ')
  let from = 0
  return (memory) => {
    const size = sizes[memory] as number
    const words = { terms: new Array<string>(size), counts: new Array<number>(size), length: lengths[memory] as number }
    for (let at = 0; at < size; at++) {
      words.terms[at] = all[numbers[from + at] as number] as string
      words.counts[at] = counts[from + at] as number
    }
    from += size
    return words
  }
}
