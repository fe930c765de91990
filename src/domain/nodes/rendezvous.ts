/**
 * Determines the owning node of a key by computation alone: highest random weight, also called rendezvous hashing (Thaler and Ravishankar,
 * "Using name-based mappings to increase hit rates", IEEE/ACM Transactions on Networking 6(1), 1998). Every node has a score for each key,
 * and the highest score owns it. When a node leaves, only its own keys move, each to the node with the next best score.
 *
 * The score is a protocol between nodes: it must not change while nodes of two versions run side by side. It is no secret: a client that
 * chooses the keys can choose them so that one node owns them all.
 */
import { murmurHash } from '../collections/murmur-hash.js'

export interface Placement {
  /** Ascending by code unit, without duplicates. */
  readonly nodeIds: readonly string[]
  /** Owner of a key; null without nodes. Equal in every process that knows the same nodes, in whatever order. Linear in their number. */
  ownerOf(key: string): string | null
}

/** Seeds of the two halves of a hash. Any two different numbers do: zero, and 2^32 over the golden ratio. */
const HIGH_SEED = 0
const LOW_SEED = 0x9e3779b9

/** Multipliers of `fmix64` in MurmurHash3. */
const FIRST_HIGH = 0xff51afd7
const FIRST_LOW = 0xed558ccd
const SECOND_HIGH = 0xc4ceb9fe
const SECOND_LOW = 0x1a85ec53

/** Creates a placement. Keys, such as those of `addressKey`, and node ids may be any strings. */
export function createPlacement(nodeIds: readonly string[]): Placement {
  const sorted = [...new Set(nodeIds)].sort()
  const nodes = sorted.map((nodeId) => ({ nodeId, high: murmurHash(nodeId, HIGH_SEED), low: murmurHash(nodeId, LOW_SEED) }))
  return {
    nodeIds: sorted,
    ownerOf: (key) => {
      const high = murmurHash(key, HIGH_SEED)
      const low = murmurHash(key, LOW_SEED)
      let owner: string | null = null
      let best = -1
      for (const node of nodes) {
        const weight = mix(high ^ node.high, low ^ node.low)
        // On equal weights, the lower id wins.
        if (weight <= best) continue
        best = weight
        owner = node.nodeId
      }
      return owner
    }
  }
}

/** `fmix64` of MurmurHash3 on two halves of 32 bits. Returns the upper 53 bits, which a number holds exactly. */
function mix(high: number, low: number): number {
  const low1 = low ^ (high >>> 1)
  const high2 = multiplyHigh(high, low1, FIRST_HIGH, FIRST_LOW)
  const low2 = Math.imul(low1, FIRST_LOW) ^ (high2 >>> 1)
  const high3 = multiplyHigh(high2, low2, SECOND_HIGH, SECOND_LOW)
  const low3 = Math.imul(low2, SECOND_LOW) ^ (high3 >>> 1)
  return (high3 >>> 0) * 2 ** 21 + (low3 >>> 11)
}

/** Upper half of the low 64 bits of a product. Multiplies the lower halves 16 bits at a time, so that no product exceeds 2^53. */
function multiplyHigh(high: number, low: number, byHigh: number, byLow: number): number {
  const unsigned = low >>> 0
  const lower = Math.floor((unsigned * (byLow & 0xffff)) / 0x10000)
  const carried = Math.floor((unsigned * (byLow >>> 16) + lower) / 0x10000)
  return (carried + Math.imul(high, byLow) + Math.imul(low, byHigh)) | 0
}
