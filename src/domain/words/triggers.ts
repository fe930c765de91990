/** Which resonance triggers an input fires. */
import type { SimilarityScale } from '../calibration.js'
import { similarity } from '../semantic-state.js'
import type { Trigger } from '../session.js'
import { foldCase } from '../text/normal-form.js'

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u
/** Scripts that put no spaces between words: there a keyword may stand inside a run. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

export interface TriggerInput {
  readonly text: string
  /** Unit length. */
  readonly vector: Float32Array
  /** Of the model that made the vector. */
  readonly scale: SimilarityScale
}

/** The triggers that fire, in their order: a keyword that stands in the text as a whole word or phrase, an embedding near enough. */
export function firedTriggers(input: TriggerInput, triggers: Iterable<Trigger>): Trigger[] {
  const folded = foldFully(input.text)
  return [...triggers].filter((trigger) =>
    trigger.embedding === null
      ? trigger.keyword !== null && hasPhrase(folded, foldFully(trigger.keyword))
      : input.scale(similarity(input.vector, trigger.embedding)) >= trigger.threshold
  )
}

/** A keyword as it is compared; empty when nothing of it can be found in any text. */
export function foldFully(text: string): string {
  // Through upper case: it spells out what lower case alone keeps apart (ß and ss, final sigma), as full case folding does.
  // Lower case first: the capital ẞ has no upper case of its own.
  return foldCase(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(/\s+/gu, ' ').trim()
}

function hasPhrase(text: string, phrase: string): boolean {
  if (phrase === '') return false
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + phrase.length)) return true
  }
  return false
}

/** Whether a word may begin or end between the characters before and after the offset. */
function isBoundary(text: string, offset: number): boolean {
  const before = characterBefore(text, offset)
  const after = text.codePointAt(offset)
  if (before === '' || after === undefined) return true
  const next = String.fromCodePoint(after)
  if (UNSPACED.test(before) || UNSPACED.test(next)) return !/\p{M}/u.test(next)
  return !(WORD_CHARACTER.test(before) && WORD_CHARACTER.test(next))
}

function characterBefore(text: string, offset: number): string {
  const unit = text.charCodeAt(offset - 1)
  const isLow = unit >= 0xdc00 && unit <= 0xdfff
  return offset === 0 ? '' : text.slice(isLow ? Math.max(0, offset - 2) : offset - 1, offset)
}
