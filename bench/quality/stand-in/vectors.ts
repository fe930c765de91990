/**
 * Vectors of a stand-in for a learned model, as no weights are available here. A text's vector combines its planted meaning with noise:
 * sqrt(c) · common + sqrt(1 - c) · (sqrt(s) · meaning + sqrt(1 - s) · noise), all of unit length. The strength s is the cosine of two texts
 * with the same meaning when the common share c is 0. c raises all cosines, as in models whose vectors lie in a cone.
 */
import { normalised } from '../../../src/domain/similarity/vector.js'
import { createRandom } from '../statistics.js'

/** Default dimension of a session. */
export const STAND_IN_DIMENSION = 384

export interface StandInOptions {
  /** 0..1 */
  readonly strength: number
  /** 0..1. Default: 0. */
  readonly common?: number
  readonly seed: number
}

/** The meaning of a text: shares of named meanings. */
export type Meaning = Readonly<Record<string, number>>

export type StandIn = (text: string, meaning: Meaning) => Float32Array

export function createStandIn({ strength, common = 0, seed }: StandInOptions): StandIn {
  const known = new Map<string, Float32Array>()
  function direction(name: string): Float32Array {
    const vector = known.get(name) ?? randomDirection(seed ^ hashOf(name))
    known.set(name, vector)
    return vector
  }
  const cone = direction('common')
  return (text, meaning) => {
    const meant = sumOf(Object.entries(meaning).map(([name, share]) => [share, direction(name)]))
    const own = normalised(
      sumOf([
        [Math.sqrt(strength), normalised(meant)],
        [Math.sqrt(1 - strength), randomDirection(seed ^ hashOf(`noise of ${text}`))]
      ])
    )
    return normalised(
      sumOf([
        [Math.sqrt(common), cone],
        [Math.sqrt(1 - common), own]
      ])
    )
  }
}

function sumOf(parts: readonly (readonly [number, Float32Array])[]): Float32Array {
  const sum = new Float32Array(STAND_IN_DIMENSION)
  for (const [share, vector] of parts) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + share * (vector[i] ?? 0)
  return sum
}

/** Uniform on the sphere: normal numbers by Box and Muller. */
function randomDirection(seed: number): Float32Array {
  const random = createRandom(seed)
  return normalised(
    Float32Array.from({ length: STAND_IN_DIMENSION }, () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()))
  )
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
