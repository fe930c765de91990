import t from 'tap'
import { contentTerms } from '../../../src/domain/text/terms.js'
import { ENGLISH_FIELDS } from '../../../src/domain/words/english-fields.js'
import { GERMAN_FIELDS } from '../../../src/domain/words/german-fields.js'
import { fieldsOf } from '../../../src/domain/words/topical-fields.js'
import { topicalTerms } from '../../../src/domain/words/topicless-words.js'

t.test('words of one field meet in it, whatever their form, in both languages', async (t) => {
  for (const text of ['my dogs', 'a vet', 'der kleine Hund und die Katze', 'das Tierheim ist nicht weit']) {
    t.ok(
      contentTerms(text).some((term) => fieldsOf(term).includes('pets')),
      text
    )
  }
})

t.test('a word may belong to several fields, and most belong to none', async (t) => {
  t.same(contentTerms('a landlord').flatMap(fieldsOf), ['home', 'law'])
  t.same(fieldsOf('tabl'), [])
  t.same(fieldsOf('__proto__'), [])
})

t.test('what says nothing of a subject is in no field', async (t) => {
  for (const [fields, language] of [
    [ENGLISH_FIELDS, 'the and of'],
    [GERMAN_FIELDS, 'der die das und nicht']
  ] as const) {
    for (const words of Object.values(fields)) {
      const terms = new Set(contentTerms(`${language} ${words}`))
      t.ok(terms.size >= 5, words.slice(0, 40))
      t.equal(topicalTerms(terms).length, terms.size, words.slice(0, 40))
    }
  }
})

t.test('the languages share their fields', async (t) => {
  for (const field of Object.keys(GERMAN_FIELDS)) t.ok(Object.hasOwn(ENGLISH_FIELDS, field), field)
})
