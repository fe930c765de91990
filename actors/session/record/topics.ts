/** Topic segments of a session: sums over its folded memories, in memory only, never stored. */
import {
  addMember,
  chooseSegment,
  emptySegment,
  removeMember,
  segmentOfOne,
  sumBytes,
  type TopicSegment
} from '../../../src/domain/drift/topic-segments.js'
import { LeanMap, LeanSet } from '../../../src/domain/collections/lean-map.js'
import type { MemoryEntry } from '../../../src/domain/session.js'
import { memoryVector } from './memory-vector.js'

interface Topic {
  segment: TopicSegment
  readonly members: LeanSet<string>
}

/** A class rather than closures: every session has one, and per-instance functions would outweigh the data. */
export class Topics {
  /** Topics by segment id. */
  private readonly topics = new LeanMap<number, Topic>()

  constructor(private readonly dimension: number) {}

  /** Adds a folded memory to its segment. No-op for a memory that was not folded. */
  add(entry: MemoryEntry): void {
    const { memory, stats } = entry
    if (!isFolded(entry)) return
    const known = this.topics.get(stats.segment)
    const topic = known ?? { segment: this.opened(entry), members: new LeanSet<string>() }
    if (known === undefined) this.topics.set(stats.segment, topic)
    else topic.segment = addMember(topic.segment, weighed(entry))
    topic.members.add(memory.id)
  }

  remove(entry: MemoryEntry): void {
    const { memory, stats } = entry
    const known = this.topics.get(stats.segment)
    if (!isFolded(entry) || known === undefined) return
    known.segment = removeMember(known.segment, weighed(entry))
    known.members.delete(memory.id)
    if (known.segment.size === 0) this.topics.delete(stats.segment)
  }

  /** Replaces the reference to a memory's vectors by an equal copy. */
  rehouse({ memory, stats }: MemoryEntry, vectors: Float32Array): void {
    const known = this.topics.get(stats.segment)
    if (known?.segment.sum === memory.vectors) known.segment = segmentOfOne(stats.segment, vectors)
  }

  /** Chooses the id of the segment of an input with this drift while the session is in segment `currentId`. */
  choose(input: { vector: Float32Array; driftScore: number; driftThreshold: number; currentId: number }): number {
    return chooseSegment({ segments: this.list(), ...input })
  }

  list(): readonly TopicSegment[] {
    return Array.from(this.topics.values(), ({ segment }) => segment)
  }

  /** Bytes of buffers that the segments take beside their members. */
  bytes(): number {
    let sum = 0
    for (const { segment } of this.topics.values()) sum += sumBytes(segment)
    return sum
  }

  /** Ids of a segment's memories, in insertion order. */
  members(segmentId: number): readonly string[] {
    return [...(this.topics.get(segmentId)?.members ?? [])]
  }

  /** Returns a segment with its first member. */
  private opened(entry: MemoryEntry): TopicSegment {
    const { segment } = entry.stats
    const vector = weighed(entry)
    return vector === entry.memory.vectors ? segmentOfOne(segment, vector) : addMember(emptySegment(segment, this.dimension), vector)
  }
}

function weighed(entry: MemoryEntry): Float32Array {
  const vector = memoryVector(entry.memory)
  const share = foldedShare(entry)
  return share === 1 ? vector : vector.map((value) => value * share)
}

/** Whether the memory is folded into the state: as the message or answer of a turn, or as told to the session together with a message. */
export function isFolded(entry: MemoryEntry): boolean {
  return foldedShare(entry) > 0
}

/** Share, 0..1, with which the memory was folded. */
export function foldedShare({ memory, stats }: MemoryEntry): number {
  return stats.share ?? wholeShare(memory.turn)
}

/** Default share of a memory of this turn. Stats hold a share only where it differs. */
export function wholeShare(turn: number): number {
  return turn > 0 ? 1 : 0
}
