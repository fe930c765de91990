/** Which resonance triggers an input fires. */
import type { SimilarityScale } from '../calibration.js'
import type { Pieces } from '../pieces.js'
import { similarity } from '../semantic-state.js'
import type { Trigger } from '../session.js'
import { foldCase } from '../text/normal-form.js'

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u
/** Scripts that put no spaces between words: there a keyword may stand inside a run. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** What is not one plain space. */
const UNEVEN_SPACE = /[^\S ]\s*| \s+/gu

/** Characters, and places where a keyword stands, that are looked at in one go: about a millisecond. */
const EDGES_A_PIECE = 8_192
const LOOKS_A_PIECE = 8_192

export interface TriggerInput {
  readonly text: string
  /** Unit length. */
  readonly vector: Float32Array
  /** Of the model that made the vector. */
  readonly scale: SimilarityScale
}

/**
 * The triggers that fire, in their order: a keyword that stands in the text as a whole word or phrase, an embedding near enough. In time
 * with the length of the text, times the number of triggers.
 */
export function* firedTriggers(input: TriggerInput, triggers: Iterable<Trigger>): Pieces<Trigger[]> {
  const fired: Trigger[] = []
  let words: Words | null = null
  for (const trigger of triggers) {
    const { keyword, embedding } = trigger
    if (embedding !== null) {
      if (input.scale(similarity(input.vector, embedding)) >= trigger.threshold) fired.push(trigger)
    } else if (keyword !== null) {
      words ??= yield* wordsOf(input.text)
      if (yield* hasPhrase(words, foldFully(keyword))) fired.push(trigger)
    }
  }
  return fired
}

/** A keyword as it is compared; empty when nothing of it can be found in any text. */
export function foldFully(text: string): string {
  // Through upper case: it spells out what lower case alone keeps apart (ß and ss, final sigma), as full case folding does.
  // Lower case first: the capital ẞ has no upper case of its own.
  return foldCase(text).toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(UNEVEN_SPACE, ' ').trim()
}

/** A text as it is searched. */
interface Words {
  readonly folded: string
  /** By offset in `folded`, its end included: 1 where a word may begin or end. */
  readonly edges: Uint8Array
}

function* wordsOf(text: string): Pieces<Words> {
  const folded = foldFully(text)
  const edges = new Uint8Array(folded.length + 1)
  let before = ''
  let offset = 0
  let characters = 0
  for (const next of folded) {
    if (characters++ % EDGES_A_PIECE === 0) yield
    if (isEdge(before, next)) edges[offset] = 1
    before = next
    offset += next.length
  }
  edges[offset] = 1
  return { folded, edges }
}

/** Whether a word may begin or end between two characters, the first of which is empty at the beginning. */
function isEdge(before: string, next: string): boolean {
  if (before === '') return true
  if (UNSPACED.test(before) || UNSPACED.test(next)) return !/\p{M}/u.test(next)
  return !(WORD_CHARACTER.test(before) && WORD_CHARACTER.test(next))
}

function* hasPhrase({ folded, edges }: Words, phrase: string): Pieces<boolean> {
  if (phrase === '') return false
  yield
  let looks = 0
  for (let at = folded.indexOf(phrase); at >= 0; at = folded.indexOf(phrase, edges.indexOf(1, at + 1))) {
    if (edges[at] === 1 && edges[at + phrase.length] === 1) return true
    if (++looks % LOOKS_A_PIECE === 0) yield
  }
  return false
}
