/** Importance of a memory, computed from its content, never by a model. */
import { FLOAT32_MAX } from '../limits.js'
import type { TextReading } from '../text/reading.js'

/** Range of a plain turn: below every triggered turn, above zero. */
export const IMPORTANCE_MIN = 0.3
export const IMPORTANCE_MAX = 0.9

/** Minimum importance of a turn on which a trigger fired; its content adds to it. */
export const TRIGGERED_IMPORTANCE = 1

/** Content words at which the content share reaches one half: about one full sentence. */
const TERMS_HALF = 8

/** A number, name, identifier or quotation counts as this many plain words: such things are what is asked for later. */
const SPECIFIC_WORDS = 2

/** Largest share of the gap to the bound that one update closes. */
const RAISE_SHARE = 0.5

interface ImportanceInput {
  readonly reading: Pick<TextReading, 'counts' | 'specifics'>
  /** Whether a trigger fired on its turn. */
  readonly isTriggered: boolean
  /** Factor, 0..1, by which isolation weakens the input; 1 without isolation. */
  readonly isolationShare: number
}

/**
 * Importance of a new memory: MIN + (MAX - MIN) · x / (x + TERMS_HALF), where x is its number of distinct content words plus SPECIFIC_WORDS
 * for each distinct specific. It saturates, so that length alone cannot drown the rest. A triggered memory gets 1 + x / (x + TERMS_HALF).
 * Both are multiplied by the isolation share.
 */
export function newImportance(input: ImportanceInput): number {
  const content = contentShare(input)
  const importance = input.isTriggered ? TRIGGERED_IMPORTANCE + content : IMPORTANCE_MIN + (IMPORTANCE_MAX - IMPORTANCE_MIN) * content
  return importance * Math.max(0, Math.min(1, input.isolationShare))
}

/**
 * Importance after an update: strictly greater (until the step is too small for a double, after millions of updates, or FLOAT32_MAX is
 * reached) and bounded. Below 1 it stays below 1, so that a plain turn never passes a triggered one however often it repeats; otherwise it
 * stays below the next power of two. The step is RAISE_SHARE · gap² / bound, which shrinks the gap no faster than 1/n.
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
