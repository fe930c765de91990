/** The session's topic segments: sums over its folded memories, kept while it lives, never stored. */
import { addMember, chooseSegment, emptySegment, removeMember, type SegmentChoice, type TopicSegment } from '../../src/domain/topic-segments.js'
import type { Memory, MemoryEntry } from '../../src/domain/session.js'
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

  function add({ memory, stats }: MemoryEntry): void {
    if (!isFolded(memory)) return
    const known = segments.get(stats.segment) ?? emptySegment(stats.segment, dimension)
    segments.set(stats.segment, addMember(known, memoryVector(memory)))
    members.set(stats.segment, (members.get(stats.segment) ?? new Set()).add(memory.id))
  }

  function remove({ memory, stats }: MemoryEntry): void {
    const known = segments.get(stats.segment)
    if (!isFolded(memory) || known === undefined) return
    const left = removeMember(known, memoryVector(memory))
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
    members: (segmentId) => [...(members.get(segmentId) ?? [])],
  }
}

/** Whether the memory came in with a turn, as a message or an answer, and so shaped the session's state. */
export function isFolded(memory: Memory): boolean {
  return memory.turn > 0
}
