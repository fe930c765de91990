/** The words of an input as the drift measure compares them: read once, and compared with those of some forty inputs. */
import { fieldsOf } from '../words/topical-fields.js'
import { topicalTerms } from '../words/topicless-words.js'

/** Content terms of a text that are compared, the first ones: a page and more tells what a text is about. */
export const DRIFT_TERMS_MAX = 512

/** Letters by which terms are taken for relatives: parts of compounds and derived words count as shared (`bremsen`, `Bremsbelag`). */
const RELATED_LETTERS = 5

export interface DriftWords {
  /** Distinct terms that tell topics apart, in their order. */
  readonly topical: readonly string[]
  /** What stands for each of its terms among relatives. */
  readonly relatives: readonly string[]
  /** What any of its terms is about. */
  readonly fields: readonly string[]
}

/** Of content terms, without stop words; repetitions do no harm. The first DRIFT_TERMS_MAX count. */
export function readDriftWords(terms: readonly string[]): DriftWords {
  const compared = terms.length > DRIFT_TERMS_MAX ? terms.slice(0, DRIFT_TERMS_MAX) : terms
  const relatives = new Set<string>()
  const fields = new Set<string>()
  for (const term of compared) {
    relatives.add(relativesOf(term))
    for (const field of fieldsOf(term)) fields.add(field)
  }
  return { topical: topicalTerms(compared), relatives: [...relatives], fields: [...fields] }
}

export function relativesOf(term: string): string {
  return term.slice(0, RELATED_LETTERS)
}
