import t from 'tap'
import { codeIn, notFound, takenOver } from '../../src/domain/errors.js'

t.test('the code of an error is a text that is not empty, and what is no error has none', async (t) => {
  const coded = (code: unknown): unknown => Object.assign(new Error('failed'), { code })
  t.same(
    ['ENOENT', '', 20, undefined].map((code) => codeIn(coded(code)) ?? null),
    ['ENOENT', null, null, null]
  )
  t.same(
    [new Error('failed'), { code: 'ENOENT' }, 'ENOENT', null].map((thrown) => codeIn(thrown) ?? null),
    [null, null, null, null]
  )
  t.equal(codeIn(takenOver()), 'fenced', 'a refusal has one as well')
})

t.test('what is not there is refused under a code of its own, in words that name it', async (t) => {
  t.match(notFound('Session'), { code: 'session_missing', message: 'Session not found' })
  t.match(notFound('Member'), { code: 'member_missing', message: 'Member not found' })
})
