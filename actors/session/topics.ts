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
}

export function createTopics(dimension: number): Topics {
  const segments = new Map<number, TopicSegment>()

  function change(entry: MemoryEntry, alter: (segment: TopicSegment, vector: Float32Array) => TopicSegment): void {
    if (!isFolded(entry.memory)) return
    const id = entry.stats.segment
    const segment = alter(segments.get(id) ?? emptySegment(id, dimension), memoryVector(entry.memory))
    if (segment.size === 0) segments.delete(id)
    else segments.set(id, segment)
  }

  return {
    add: (entry) => change(entry, addMember),
    remove: (entry) => change(entry, removeMember),
    choose: (input) => chooseSegment({ ...input, segments: [...segments.values()] }),
    list: () => [...segments.values()],
  }
}

/** Whether the memory came in with a turn, as a message or an answer, and so shaped the session's state. */
export function isFolded(memory: Memory): boolean {
  return memory.turn > 0
}
