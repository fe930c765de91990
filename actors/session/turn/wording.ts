/** Similarity of two questions by their words, for sessions whose vectors are those of a learned model. */
import { scaleOf } from '../../../src/domain/similarity/calibration.js'
import { isLexicalModel, LEXICAL_MODEL_NAME } from '../../../src/domain/similarity/models.js'
import { dot } from '../../../src/domain/similarity/vector.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import type { SessionState } from '../record/state.js'

/** Dimension of the vectors of words: that of a session by default. */
const DIMENSION = 384
/** Longest text whose words are compared, in characters: a longer one is hardly asked again. */
const LENGTH_MAX = 1_000

/**
 * Returns a measure of how similar a question's words are to the text's, on the scale of all models. Null where vectors are those of words
 * anyway. A learned model may put two questions apart that say the same in nearly the same words.
 */
export function wordingOf({ head }: SessionState, text: string): ((question: string) => number) | null {
  if (isLexicalModel(head.settings.modelName)) return null
  const scale = scaleOf(LEXICAL_MODEL_NAME)
  let own: Float32Array | null = null
  return (question) => {
    if (Math.max(text.length, question.length) > LENGTH_MAX) return -1
    own ??= lexicalVector(text, DIMENSION)
    return scale(dot(own, lexicalVector(question, DIMENSION)))
  }
}
