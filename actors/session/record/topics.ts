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
import type { Corpus } from '../../../src/retrieval/corpus.js'
import { memoryVector } from './memory-vector.js'

/** Most folded memories of which no sums are kept: adding up so many takes 30 µs, and is needed when a message drifts. */
export const FEW_MEMBERS_MAX = 32

interface Topic {
  /** Null while the session has few members. */
  segment: TopicSegment | null
  readonly members: LeanSet<string>
}

/** A class rather than closures: every session has one, and per-instance functions would outweigh the data. */
export class Topics {
  /** Topics by segment id. */
  private readonly topics = new LeanMap<number, Topic>()
  /** Number of members of all topics. */
  private size = 0

  /** `corpus`: where the members are, from before they are added until after they are removed. */
  constructor(
    private readonly dimension: number,
    private readonly corpus: Pick<Corpus, 'get'>
  ) {}

  /** Adds a folded memory to its segment. No-op for a memory that was not folded. */
  add(entry: MemoryEntry): void {
    if (!isFolded(entry)) return
    const { segment: id } = entry.stats
    const topic = this.topics.get(id) ?? { segment: null, members: new LeanSet<string>() }
    if (topic.members.size === 0) this.topics.set(id, topic)
    topic.members.add(entry.memory.id)
    this.size += 1
    if (this.size <= FEW_MEMBERS_MAX) return
    if (this.size === FEW_MEMBERS_MAX + 1) for (const [known, each] of this.topics) each.segment = this.summed(known, each)
    else topic.segment = topic.segment === null ? this.summed(id, topic) : addMember(topic.segment, weighed(entry))
  }

  remove(entry: MemoryEntry): void {
    const { segment: id } = entry.stats
    const known = this.topics.get(id)
    if (!isFolded(entry) || known?.members.delete(entry.memory.id) !== true) return
    this.size -= 1
    if (known.members.size === 0) this.topics.delete(id)
    else if (known.segment !== null) known.segment = removeMember(known.segment, weighed(entry))
    if (this.size === FEW_MEMBERS_MAX) for (const topic of this.topics.values()) topic.segment = null
  }

  /** Replaces the reference to a memory's vectors by an equal copy. */
  rehouse({ memory, stats }: MemoryEntry, vectors: Float32Array): void {
    const known = this.topics.get(stats.segment)
    if (known?.segment?.sum === memory.vectors) known.segment = segmentOfOne(stats.segment, vectors)
  }

  /** Chooses the id of the segment of an input with this drift while the session is in segment `currentId`. */
  choose(input: { vector: Float32Array; driftScore: number; driftThreshold: number; currentId: number }): number {
    return chooseSegment({ segments: () => this.list(), ...input })
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  list(): readonly TopicSegment[] {
    return Array.from(this.topics, ([id, topic]) => topic.segment ?? this.summed(id, topic))
  }

  /** Bytes of buffers that the segments take beside their members. */
  bytes(): number {
    let sum = 0
    for (const { segment } of this.topics.values()) if (segment !== null) sum += sumBytes(segment)
    return sum
  }

  /** Upper bound on additional bytes for the present segments once more members force them to keep their sums. */
  spreadBytes(): number {
    return this.size > FEW_MEMBERS_MAX ? 0 : Float64Array.BYTES_PER_ELEMENT * this.dimension * this.topics.size
  }

  /** Ids of a segment's memories, in insertion order. */
  members(segmentId: number): readonly string[] {
    return [...(this.topics.get(segmentId)?.members ?? [])]
  }

  /** Returns a segment with all of its members. */
  private summed(id: number, { members }: Topic): TopicSegment {
    const entries = Array.from(members, (member) => this.corpus.get(member) as MemoryEntry)
    const [first] = entries
    const isOne = entries.length === 1 && first !== undefined && foldedShare(first) === 1
    return isOne ? segmentOfOne(id, weighed(first)) : entries.map(weighed).reduce(addMember, emptySegment(id, this.dimension))
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
