/** Words of an input as the drift measure needs them: read once, then compared with those of some forty inputs. */
import { fieldsOf } from '../words/topical-fields.js'
import { topicalTerms } from '../words/topicless-words.js'

/** Content terms compared per text, the first ones: more than a page is enough to tell its topic. */
export const DRIFT_TERMS_MAX = 512

/** Letters by which terms count as related, so that parts of compounds and derived words are shared (`bremsen`, `Bremsbelag`). */
const RELATED_LETTERS = 5

/** Words of an earlier input, as later ones are compared with it. In one text each, as lists of short texts take five times the memory. */
export interface SaidWords {
  /** Number of distinct terms that distinguish topics. */
  readonly topicalCount: number
  /** Beginnings of its terms, by which related terms are matched, separated by spaces. */
  readonly relatives: string
  /** Distinct fields of its terms, separated by spaces. */
  readonly fields: string
}

/** Words of the input that is measured. */
export interface DriftWords extends SaidWords {
  /** Distinct terms that distinguish topics, in order. */
  readonly topical: readonly string[]
}

/** Reads content terms (without stop words; repetitions are harmless). Only the first DRIFT_TERMS_MAX count. */
export function readDriftWords(terms: readonly string[]): DriftWords {
  const compared = terms.length > DRIFT_TERMS_MAX ? terms.slice(0, DRIFT_TERMS_MAX) : terms
  const fields: string[] = []
  // Looked up in the list: few terms have a field, and a set takes longer to make.
  for (const term of compared) for (const field of fieldsOf(term)) if (!fields.includes(field)) fields.push(field)
  const topical = topicalTerms(compared)
  return { topical, topicalCount: topical.length, relatives: compared.map(relativesOf).join(' '), fields: fields.join(' ') }
}

export function relativesOf(term: string): string {
  return term.slice(0, RELATED_LETTERS)
}
