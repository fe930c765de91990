/** Places of a scan that may hold the nearest vectors: those that the errors of their similarities do not rule out. */
import { BLOCKS_A_VALUE, floorOf } from '../domain/collections/floor.js'
import type { Pieces } from '../domain/pieces.js'
import { floorOfScan, placesFrom } from './passes.js'
import { placesInBlocks } from './rows.js'

/** Factor by which more of the nearest are asked about when too few of them were accepted. */
const WIDENING = 4

/** Labels asked about per piece: some tenths of a millisecond. */
const ASKED_A_PIECE = 1_024

export type Accept = (label: number) => boolean

/** Upper bound on the error of a scanned similarity: `shared` plus `perError` times the rounding error of its vector. */
export interface Bound {
  readonly shared: number
  readonly perError: number
}

/** A scan, by place; there are as many places as labels. */
interface Scanned extends Bound {
  readonly similarities: Float32Array
  /** The greatest of each block, with as many rows in each slab; null: not known. */
  readonly greatest: Float32Array | null
  readonly rows: number
  readonly labels: readonly number[]
  /** Length of each vector's rounding error. */
  readonly errors: readonly number[]
  /** The greatest of these lengths, or more. */
  readonly errorMax: number
}

/**
 * Places whose upper bound reaches a lower bound that `limit` accepted places reach, first those that reach it themselves, so that the
 * products of the others need not all be computed. A first pass takes the greatest error for all, which rules out most places with one
 * comparison each; a second pass takes each place's own error.
 */
export function* placesNear(scanned: Scanned, limit: number, accept?: Accept): Pieces<number[]> {
  const { similarities, errors, shared, perError, errorMax } = scanned
  const error = 2 * (shared + perError * errorMax)
  const near = accept === undefined ? yield* nearAny(scanned, limit, error) : yield* acceptedNear(scanned, { error, limit, accept })
  const lowest = new Float64Array(near.length)
  const errorOf = (place: number): number => shared + perError * (errors[place] as number)
  for (let at = 0; at < near.length; at++) lowest[at] = (similarities[near[at] as number] as number) - errorOf(near[at] as number)
  if (near.length > ASKED_A_PIECE) yield
  const leastOfNear = floorOf(lowest, near.length, limit)
  const others: number[] = []
  const first = near.filter((place, at) => {
    if ((lowest[at] as number) >= leastOfNear) return true
    if ((similarities[place] as number) + errorOf(place) >= leastOfNear) others.push(place)
    return false
  })
  return first.concat(others)
}

/** Places whose similarity reaches, but for `error`, one that `limit` places reach. */
function* nearAny({ similarities, greatest, rows, labels }: Scanned, limit: number, error: number): Pieces<number[]> {
  const count = labels.length
  if (greatest === null || greatest.length < BLOCKS_A_VALUE * limit)
    return yield* placesFrom(similarities, count, floorOfScan(similarities, count, limit) - error)
  return yield* placesInBlocks({ similarities, greatest, rows }, count, floorOfScan(greatest, greatest.length, limit) - error)
}

interface Asking {
  readonly error: number
  readonly limit: number
  readonly accept: Accept
}

/**
 * Accepted places: all whose similarity reaches, but for `error`, one that `limit` accepted places reach, and maybe others. Asks about the
 * most similar ones first and about each place once at most, because `accept` costs more than comparing.
 */
function* acceptedNear(scanned: Scanned, { error, limit, accept }: Asking): Pieces<number[]> {
  const { similarities, labels } = scanned
  const accepted: number[] = []
  let below = Infinity
  function* askDownTo(least: number): Pieces<void> {
    for (const place of yield* between(scanned, { least, below, accept })) accepted.push(place)
    below = Math.min(below, least)
  }
  for (let wanted = limit; accepted.length < limit && below > -Infinity; wanted *= WIDENING)
    yield* askDownTo(floorOfScan(similarities, labels.length, wanted))
  // By index: `from` with a function takes many times as long, and all vectors may be alike.
  const reached = new Float64Array(accepted.length)
  for (let at = 0; at < accepted.length; at++) reached[at] = similarities[accepted[at] as number] as number
  yield* askDownTo(floorOf(reached, reached.length, limit) - error)
  return accepted
}

/** A range of similarities, without its upper end, and what is accepted of it. */
interface Range {
  readonly least: number
  readonly below: number
  readonly accept: Accept
}

function* between({ similarities, labels }: Scanned, { least, below, accept }: Range): Pieces<number[]> {
  const found: number[] = []
  let asked = 0
  for (const place of yield* placesFrom(similarities, labels.length, least)) {
    if ((similarities[place] as number) >= below) continue
    if (++asked % ASKED_A_PIECE === 0) yield
    if (accept(labels[place] as number)) found.push(place)
  }
  return found
}
