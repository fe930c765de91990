import t from 'tap'
import { createOneAtATime } from '../../../actors/asking/one-at-a-time.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

/** Creates work that ends when the test says so. */
function createWork() {
  const begun: { end(result: string): void; fail(): void }[] = []
  return {
    begun,
    work: () => new Promise<string>((resolve, reject) => begun.push({ end: resolve, fail: () => reject(new Error('failed')) }))
  }
}

t.test('work is done one at a time, in the order of the calls, whatever becomes of the one before', async (t) => {
  const { begun, work } = createWork()
  const oneAtATime = createOneAtATime()
  const { signal } = new AbortController()
  const [first, second, third] = [oneAtATime(signal, work), codeOf(oneAtATime(signal, work)), oneAtATime(signal, work)]
  await until(() => begun.length > 0)
  t.equal(begun.length, 1)
  begun[0]?.end('first')
  t.equal(await first, 'first')
  await until(() => begun.length === 2)
  begun[1]?.fail()
  t.equal(await second, 'Error: failed')
  await until(() => begun.length === 3)
  begun[2]?.end('third')
  t.equal(await third, 'third')
})

t.test('work that nobody waits for any more is passed over', async (t) => {
  const { begun, work } = createWork()
  const oneAtATime = createOneAtATime()
  const leaving = new AbortController()
  const { signal } = new AbortController()
  const first = oneAtATime(signal, work)
  const left = codeOf(oneAtATime(leaving.signal, work))
  const last = oneAtATime(signal, work)
  await until(() => begun.length > 0)
  leaving.abort()
  begun[0]?.end('first')
  await first
  t.equal(await left, 'deadline_passed')
  await until(() => begun.length === 2)
  begun[1]?.end('last')
  t.equal(await last, 'last')
})
