import { createHash } from 'node:crypto'
import t from 'tap'
import { readTextAtOnce } from '../../../src/domain/text/reading.js'
import { fromStoredWords, toStoredWords, WORDS_VERSION } from '../../../src/domain/words/stored-words.js'
import { toWordList } from '../../../src/domain/words/word-list.js'

const TEXTS = [
  '',
  'The gardener pruned three roses, and the roses thanked her.',
  'Die Übergabe ist am Freitag um 14:30 in Gebäude B-12.',
  'GET /v1/users/42 answered 404; see src/http/routes.ts',
  '会議は金曜日です。 Встреча в пятницу.',
  'Das Buero ist in der Gaertnerstraße.',
  '第12章在GitHub上, 여권이 서랍에 있어요',
  'IŞIK, كِتَاب, שָׁלוֹם',
  '😀 naïve café, e\u0301clair\tand\nnew lines'
]

t.test('stored words: the same words in the same order as they were read', async (t) => {
  for (const text of TEXTS) {
    const { counts, length } = readTextAtOnce(text)
    const read = fromStoredWords(toStoredWords({ counts, length }))
    t.strictSame(read, toWordList({ counts, length }), text)
  }
})

t.test('stored words: of another version, or with counts that do not fit, not taken', async (t) => {
  const stored = toStoredWords(readTextAtOnce('two rivers rise'))
  t.equal(fromStoredWords({ ...stored, version: WORDS_VERSION + 1 }), null)
  t.equal(fromStoredWords({ ...stored, counts: [1] }), null)
})

t.test('stored words: texts that are read differently need another version', async (t) => {
  const read = TEXTS.map((text) => ({ ...toStoredWords(readTextAtOnce(text)), version: 0 }))
  const digest = createHash('sha256').update(JSON.stringify(read)).digest('hex').slice(0, 16)
  t.strictSame({ version: WORDS_VERSION, digest }, { version: 4, digest: '62b3591f6b7942b9' })
})
