/** The session's topic segments: sums over its folded memories, kept while it lives, never stored. */
import {
  addMember,
  chooseSegment,
  emptySegment,
  removeMember,
  type SegmentChoice,
  type TopicSegment
} from '../../../src/domain/drift/topic-segments.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { memoryVector } from './memory-vector.js'

export interface Topics {
  /** Counts a folded memory in; one that was given outside of any turn belongs to no segment. */
  add(entry: MemoryEntry): void
  remove(entry: MemoryEntry): void
  /** Where an input of this drift belongs, the session being in segment `currentId`. */
  choose(input: { vector: Float32Array; driftScore: number; driftThreshold: number; currentId: number }): SegmentChoice
  list(): readonly TopicSegment[]
  /** Ids of a segment's memories, in the order they came. */
  members(segmentId: number): readonly string[]
}

export function createTopics(dimension: number): Topics {
  const segments = new Map<number, TopicSegment>()
  const members = new Map<number, Set<string>>()

  function add(entry: MemoryEntry): void {
    const { memory, stats } = entry
    if (!isFolded(entry)) return
    const known = segments.get(stats.segment) ?? emptySegment(stats.segment, dimension)
    segments.set(stats.segment, addMember(known, weighed(entry)))
    members.set(stats.segment, (members.get(stats.segment) ?? new Set()).add(memory.id))
  }

  function remove(entry: MemoryEntry): void {
    const { memory, stats } = entry
    const known = segments.get(stats.segment)
    if (!isFolded(entry) || known === undefined) return
    const left = removeMember(known, weighed(entry))
    members.get(stats.segment)?.delete(memory.id)
    if (left.size > 0) segments.set(stats.segment, left)
    else {
      segments.delete(stats.segment)
      members.delete(stats.segment)
    }
  }

  return {
    add,
    remove,
    choose: (input) => chooseSegment({ ...input, segments: [...segments.values()] }),
    list: () => [...segments.values()],
    members: (segmentId) => [...(members.get(segmentId) ?? [])]
  }
}

function weighed(entry: MemoryEntry): Float32Array {
  const vector = memoryVector(entry.memory)
  const share = foldedShare(entry)
  return share === 1 ? vector : vector.map((value) => value * share)
}

/** Whether the memory was folded: it came in with a turn, as a message or an answer, or was told to the session with its message. */
export function isFolded(entry: MemoryEntry): boolean {
  return foldedShare(entry) > 0
}

/** Share of the memory in what it was folded into, 0..1. */
export function foldedShare({ memory, stats }: MemoryEntry): number {
  return stats.share ?? wholeShare(memory.turn)
}

/** The share that a memory of this turn has unless its stats say another: only those need be kept. */
export function wholeShare(turn: number): number {
  return turn > 0 ? 1 : 0
}
