/**
 * What common words are about. Two turns of one subject seldom share a word, and often share a field: a dog and a vet. Written for
 * this, from no corpus; words that mean something else just as often ("run", "table", "back") are left out, as they make
 * strangers of one field. English and German.
 */
import { contentTerms } from '../text/terms.js'
import { ENGLISH_FIELDS } from './english-fields.js'
import { GERMAN_FIELDS } from './german-fields.js'

const NO_FIELDS: readonly string[] = []

const FIELDS_BY_TERM = fieldsByTerm()

/** The fields of a stem as `contentTerms` gives it; none of most. */
export function fieldsOf(term: string): readonly string[] {
  return FIELDS_BY_TERM.get(term) ?? NO_FIELDS
}

/** By language, as stems are. */
function fieldsByTerm(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const [fields, language] of [
    [ENGLISH_FIELDS, 'the and of'],
    [GERMAN_FIELDS, 'der die das und nicht']
  ] as const) {
    for (const [field, words] of Object.entries(fields)) {
      for (const term of contentTerms(`${language} ${words}`)) {
        const others = found.get(term) ?? []
        if (!others.includes(field)) found.set(term, [...others, field])
      }
    }
  }
  return found
}
