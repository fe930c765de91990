/**
 * Fields of meaning of common words. Two turns about the same thing seldom share a word, but often a field: a dog and a vet. Written by
 * hand, from no corpus. Words that often mean something else ("run", "table", "back") are left out, as they would relate unrelated texts.
 * English and German.
 */
import { listedTerms } from '../text/terms.js'
import { ENGLISH_FIELDS } from './english-fields.js'
import { GERMAN_FIELDS } from './german-fields.js'

const NO_FIELDS: readonly string[] = []

const FIELDS_BY_TERM = fieldsByTerm()

/** Fields of a stem, as `contentTerms` returns it; most stems have none. */
export function fieldsOf(term: string): readonly string[] {
  return FIELDS_BY_TERM.get(term) ?? NO_FIELDS
}

function fieldsByTerm(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const [fields, language] of [
    [ENGLISH_FIELDS, 'english'],
    [GERMAN_FIELDS, 'german']
  ] as const) {
    for (const [field, words] of Object.entries(fields)) {
      for (const term of listedTerms(words, language)) {
        const others = found.get(term) ?? []
        if (!others.includes(field)) found.set(term, [...others, field])
      }
    }
  }
  return found
}
