import t from 'tap'
import { EngramError } from '../../src/client/engram-error.js'
import { unlessMissing, wordsOf } from '../../src/debug-page/asking.js'

const missing = new EngramError({ kind: 'not_found', status: 404, detail: 'Memory not found' })
const refused = new EngramError({ kind: 'forbidden', status: 403, detail: 'Not from here' })
const away = new EngramError({ kind: 'unreachable', detail: 'fetch failed' })

t.test('asking: nothing where the service says that there is none, and any other refusal is one', async (t) => {
  t.equal(await unlessMissing(Promise.resolve('text')), 'text')
  t.equal(await unlessMissing(Promise.reject(missing)), null)
  await t.rejects(unlessMissing(Promise.reject(refused)), refused)
  await t.rejects(unlessMissing(Promise.reject(new RangeError('no'))), RangeError)
})

t.test('asking: what is shown of a failure is what the service says, or that it says nothing', async (t) => {
  t.equal(wordsOf(refused), 'Not from here')
  t.equal(wordsOf(new TypeError('A session id has no slash')), 'A session id has no slash')
  for (const error of [away, new Error('socket hang up'), 'nothing']) t.equal(wordsOf(error), 'The service does not answer.')
})
