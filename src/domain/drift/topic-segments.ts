/** Topic segments: stretches of a session on one topic, so that its state can follow a change and come back. */
import { createBestOf } from '../collections/best-of.js'
import type { Pieces } from '../pieces.js'
import { addScaled, dot, toCosine, unitOf } from '../similarity/vector.js'

/** Most segments per session; a turn that would open another one joins the nearest instead. */
export const SEGMENTS_MAX = 64

/** Memories that represent a segment beside its centroid. */
const REPRESENTATIVES_MAX = 3

/**
 * A turn returns to a segment if its distance (1 - cosine) to that is less than this share of its distance to the current one. A ratio,
 * because the cosines of unrelated texts differ between models. Measured on talks of four exchanges: with dense vectors, returning inputs
 * lie at 0.3 to 0.4 (even if all cosines are above 0.8) and 98 of 100 new topics above 0.86; with word-based vectors, a fifth of the
 * returning inputs and 2 of 100 new ones lie below 0.85.
 */
const RETURN_DISTANCE_RATIO = 0.85

/** Minimum cosine to that segment: with word-based vectors, 19 of 20 unrelated inputs lie below 0.13. */
const RETURN_SIMILARITY_MIN = 0.15

/** A segment as the sum of its memories' vectors, so that members can be added and subtracted; the centroid is derived. */
export interface TopicSegment {
  /** From 0, unique in the session; reused once its segment is empty. */
  readonly id: number
  /** Its own sum in double precision; or, in single precision, the vector of its only member, shared and never changed. */
  readonly sum: Float64Array | Float32Array
  readonly size: number
}

interface SegmentQuestion {
  /** Unit vector of the input. */
  readonly vector: Float32Array
  readonly currentId: number
  /** Called only if the input does not stay where it is anyway. */
  readonly segments: () => readonly TopicSegment[]
  /** 0..1 */
  readonly driftScore: number
  readonly driftThreshold: number
}

/** Creates a segment without members. */
export function emptySegment(id: number, dimension: number): TopicSegment {
  return { id, sum: new Float64Array(dimension), size: 0 }
}

/** Creates a segment of one member. Keeps a reference to the vector, which must not change. */
export function segmentOfOne(id: number, vector: Float32Array): TopicSegment {
  return { id, sum: vector, size: 1 }
}

/** Adds a member. May modify the segment's own sum in place: the caller must own it. */
export function addMember(segment: TopicSegment, vector: Float32Array): TopicSegment {
  const sum = ownSum(segment)
  addScaled(sum, vector, 1)
  return { ...segment, sum, size: segment.size + 1 }
}

function ownSum({ sum }: TopicSegment): Float64Array {
  return sum instanceof Float64Array ? sum : Float64Array.from(sum)
}

/** Bytes of buffers that a segment takes beside its members. */
export function sumBytes({ sum }: TopicSegment): number {
  return sum instanceof Float64Array ? sum.byteLength : 0
}

/** Removes a member. An empty segment is exactly zero again, so that no rounding residue of erased data remains. */
export function removeMember(segment: TopicSegment, vector: Float32Array): TopicSegment {
  if (segment.size <= 1) return emptySegment(segment.id, segment.sum.length)
  const sum = ownSum(segment)
  addScaled(sum, vector, -1)
  return { ...segment, sum, size: segment.size - 1 }
}

/** Normalised mean of the members; null if there are none or they cancel out. */
export function segmentCentroid(segment: TopicSegment): Float32Array | null {
  return segment.size === 0 ? null : unitOf(ownSum(segment))
}

/**
 * Chooses the segment of an input, by its id. Below the drift threshold it stays; otherwise it returns to the nearest other segment if that
 * is close enough, or else opens one. If there are too many segments, it joins the nearest of all, the current one included.
 */
export function chooseSegment({ segments: list, currentId, vector, driftScore, driftThreshold }: SegmentQuestion): number {
  if (driftScore < driftThreshold) return currentId
  const segments = list()
  const current = segments.find(({ id }) => id === currentId)
  if (current === undefined || current.size === 0) return currentId
  const here = similarityTo(current, vector)
  const best = nearest(
    segments.filter(({ id }) => id !== currentId),
    vector
  )
  if (best !== null && isReturn(best.similarity, here ?? 0)) return best.id
  const free = freeId(segments)
  if (free !== null) return free
  return best !== null && best.similarity > (here ?? -1) ? best.id : currentId
}

export interface SegmentMember {
  readonly id: string
  readonly vector: Float32Array
  /** At least 0. */
  readonly importance: number
}

/** Ids of the members that represent a segment best: by cosine to its centroid times 1 + importance; ties in the given order. */
export function* representatives(centroid: Float32Array, members: readonly SegmentMember[], limit = REPRESENTATIVES_MAX): Pieces<string[]> {
  const best = createBestOf<RankedMember>(limit, (a, b) => a.score < b.score || (a.score === b.score && a.at > b.at))
  for (const [at, { id, vector, importance }] of members.entries()) {
    if (at % MEMBERS_A_PIECE === MEMBERS_A_PIECE - 1) yield
    best.offer({ id, at, score: dot(centroid, vector) * (1 + importance) })
  }
  return best.sorted().map(({ id }) => id)
}

/** Members examined per piece: half a millisecond at 16,384 dimensions. */
const MEMBERS_A_PIECE = 32

interface RankedMember {
  readonly id: string
  readonly at: number
  readonly score: number
}

function isReturn(there: number, here: number): boolean {
  return there >= RETURN_SIMILARITY_MIN && 1 - there <= RETURN_DISTANCE_RATIO * (1 - here)
}

function nearest(segments: readonly TopicSegment[], vector: Float32Array): { id: number; similarity: number } | null {
  let best: { id: number; similarity: number } | null = null
  for (const segment of segments) {
    const value = similarityTo(segment, vector)
    if (value !== null && (best === null || value > best.similarity)) best = { id: segment.id, similarity: value }
  }
  return best
}

/** Cosine of a unit vector to a segment's centroid, computed without building the centroid. */
function similarityTo(segment: TopicSegment, vector: Float32Array): number | null {
  let product = 0
  let squares = 0
  for (let i = 0; i < segment.sum.length; i++) {
    const value = segment.sum[i] as number
    product += value * (vector[i] ?? 0)
    squares += value * value
  }
  return segment.size === 0 || squares < 1e-18 ? null : toCosine(product / Math.sqrt(squares))
}

function freeId(segments: readonly TopicSegment[]): number | null {
  const used = new Set(segments.filter((segment) => segment.size > 0).map((segment) => segment.id))
  for (let id = 0; id < SEGMENTS_MAX; id++) if (!used.has(id)) return id
  return null
}
