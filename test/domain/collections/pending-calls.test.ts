import t from 'tap'
import { createPendingCalls } from '../../../src/domain/collections/pending-calls.js'

t.test('a call is settled by the reply to its number, whatever their order', async (t) => {
  const calls = createPendingCalls<string>()
  const sent: number[] = []
  const [first, second, third] = [1, 2, 3].map(() => calls.call((id) => void sent.push(id)))
  t.equal(new Set(sent).size, 3)
  const [a = 0, b = 0, c = 0] = sent
  calls.resolve(b, 'second')
  calls.reject(c, new Error('third'))
  calls.resolve(a, 'first')
  calls.resolve(a, 'once more')
  t.equal(await first, 'first')
  t.equal(await second, 'second')
  await t.rejects(third as Promise<string>, { message: 'third' })
})

t.test('calls that nobody answers any more are rejected, and a late reply to them changes nothing', async (t) => {
  const calls = createPendingCalls<string>()
  let sent = 0
  const waiting = calls.call((id) => (sent = id))
  calls.fail(new Error('gone'))
  calls.resolve(sent, 'late')
  await t.rejects(waiting, { message: 'gone' })
})
