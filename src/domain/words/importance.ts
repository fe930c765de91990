/** How much a memory counts, from what it says; never from a model's opinion. */
import { FLOAT32_MAX } from '../limits.js'
import type { TextReading } from '../text/reading.js'

/** A plain turn lies in [IMPORTANCE_MIN, IMPORTANCE_MAX]: below every triggered one, above nothing at all. */
export const IMPORTANCE_MIN = 0.3
export const IMPORTANCE_MAX = 0.9

/** Importance of a turn on which a trigger fired, at least; its content adds to it. */
export const TRIGGERED_IMPORTANCE = 1

/** Content words at which the share that length can give is half reached: about one full sentence. */
const TERMS_HALF = 8

/** A number, name, identifier or quotation says as much as this many plain words: they are what is asked for later. */
const SPECIFIC_WORDS = 2

/** Share of the gap to the bound that an update takes, at most. */
const RAISE_SHARE = 0.5

export interface ImportanceInput {
  readonly reading: Pick<TextReading, 'counts' | 'specifics'>
  /** A trigger fired on its turn. */
  readonly isTriggered: boolean
  /** Share that isolation left the input, 0..1; 1 outside of it. */
  readonly isolationShare: number
}

/**
 * Importance of a new memory: MIN + (MAX - MIN) · x / (x + TERMS_HALF), x its distinct content words
 * plus SPECIFIC_WORDS for each distinct specific. Saturating, so that length alone cannot drown the rest.
 * A triggered one is 1 + x / (x + TERMS_HALF). Both times the isolation share.
 */
export function newImportance(input: ImportanceInput): number {
  const content = contentShare(input)
  const importance = input.isTriggered ? TRIGGERED_IMPORTANCE + content : IMPORTANCE_MIN + (IMPORTANCE_MAX - IMPORTANCE_MIN) * content
  return importance * Math.max(0, Math.min(1, input.isolationShare))
}

/**
 * Importance after an update, strictly greater (until the step is below what a double can hold, after millions of
 * updates, or FLOAT32_MAX is reached) and bounded: below 1 it stays below 1, so that repeating a plain turn never passes a triggered one;
 * else below the next power of two. Step: RAISE_SHARE · gap² / bound, which halves no faster than 1/n.
 */
export function raisedImportance(importance: number): number {
  const bound = importance < 1 ? 1 : 2 ** (Math.floor(Math.log2(importance)) + 1)
  const gap = bound - importance
  const next = importance + (RAISE_SHARE * gap * gap) / bound
  return next < bound ? Math.min(next, FLOAT32_MAX) : importance
}

function contentShare({ reading }: ImportanceInput): number {
  const words = reading.counts.size + SPECIFIC_WORDS * reading.specifics
  return words / (words + TERMS_HALF)
}
