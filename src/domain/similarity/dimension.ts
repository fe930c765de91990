/** Converts a model's vectors to the dimension of a session. */
import { mix } from '../collections/murmur-hash.js'
import { normalised } from './vector.js'

/**
 * Output coordinates per input coordinate: 8 additions each whatever the dimension, while the error of inner products stays below 1 /
 * sqrt(dimension), as the tests measure.
 */
const SPREAD = 8

/** Converts one vector. Returns a new unit vector; all zeros stay all zeros. */
type DimensionFit = (vector: Float32Array) => Float32Array

/**
 * Makes the conversion from `width` to `dimension`; both are positive integers.
 *
 * To more dimensions: appends zeros, which keeps every inner product.
 * To fewer: a sparse Johnson-Lindenstrauss projection in block form (Kane and Nelson, "Sparser Johnson-Lindenstrauss Transforms", Journal
 * of the ACM 61(1), 2014, section 3), which keeps inner products to within about 1 / sqrt(dimension). Its signs and places depend on
 * (width, dimension) alone, so that every node projects alike, also after an upgrade.
 */
export function createDimensionFit(width: number, dimension: number): DimensionFit {
  if (width === dimension) return normalised
  if (width < dimension) {
    return (vector) => {
      const padded = new Float32Array(dimension)
      padded.set(vector)
      return normalised(padded)
    }
  }
  const projection = createProjection(width, dimension)
  return (vector) => normalised(projection(vector))
}

function createProjection(width: number, dimension: number): DimensionFit {
  const spread = Math.min(SPREAD, dimension)
  const places = new Uint32Array(width * spread)
  const signs = new Int8Array(width * spread)
  const next = createDraws(width, dimension)
  // Stryker disable next-line EqualityOperator: there is no place behind the last one
  for (let entry = 0; entry < places.length; entry++) {
    const block = entry % spread
    const from = Math.floor((block * dimension) / spread)
    const to = Math.floor(((block + 1) * dimension) / spread)
    const draw = next()
    signs[entry] = (draw & 1) === 0 ? 1 : -1
    places[entry] = from + ((draw >>> 1) % (to - from))
  }
  return (vector) => {
    const sums = new Float64Array(dimension)
    for (let entry = 0; entry < places.length; entry++) {
      const place = places[entry] as number
      const value = vector[Math.floor(entry / spread)] as number
      sums[place] = (sums[place] as number) + (signs[entry] as number) * value
    }
    return Float32Array.from(sums)
  }
}

/**
 * Deterministic sequence of 32-bit numbers: the finaliser of MurmurHash3 over a Weyl sequence (Steele, Lea and Flood, "SplitMix", 2014).
 */
function createDraws(width: number, dimension: number): () => number {
  let state = mix(Math.imul(width, 0x9e3779b9) ^ mix(dimension))
  return () => {
    state = (state + 0x9e3779b9) | 0
    return mix(state) >>> 0
  }
}
