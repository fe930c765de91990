import t from 'tap'
import { DRIFT_TERMS_MAX, readDriftWords } from '../../../src/domain/drift/drift-words.js'
import { contentTerms } from '../../../src/domain/text/terms.js'

t.test('words are read for what is compared: topical ones, relatives by their first letters, and fields', async (t) => {
  const words = readDriftWords(contentTerms('I think the brakes of my bike squeak, and the braking is weak. Brakes!'))
  t.notOk(words.topical.includes('think'), 'of no topic')
  t.equal(new Set(words.topical).size, words.topicalCount)
  const [relatives, fields] = [words.relatives.split(' '), words.fields.split(' ')]
  t.ok(relatives.every((relative) => relative.length > 0 && relative.length <= 5))
  t.equal(new Set(fields).size, fields.length)
  t.ok(readDriftWords(contentTerms('my dog was at the vet')).fields.length > 0)
  t.same(readDriftWords([]), { topical: [], topicalCount: 0, relatives: '', fields: '' })
})

t.test('of a long text the first terms count', async (t) => {
  const terms = Array.from({ length: DRIFT_TERMS_MAX + 10 }, (_, at) => `${String(at).padStart(4, '0')}word`)
  const { topical, relatives } = readDriftWords(terms)
  t.same(topical, terms.slice(0, DRIFT_TERMS_MAX))
  t.equal(relatives.split(' ').length, new Set(topical.map((term) => term.slice(0, 5))).size)
})
