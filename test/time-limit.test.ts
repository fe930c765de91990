import t from 'tap'
import { fromStorage, orTimeout, pause, withTimeLimit } from '../src/time-limit.js'
import { createManualClock, settled } from './support/manual-clock.js'

t.test('work that ends in time says what it came to, and no timer is left', async (t) => {
  const clock = createManualClock()
  const late = () => new Error('late')
  t.equal(await withTimeLimit(Promise.resolve(7), { clock, limitMs: 10, late }), 7)
  await t.rejects(withTimeLimit(Promise.reject(new Error('failed')), { clock, limitMs: 10, late }), { message: 'failed' })
  t.equal(clock.pending, 0)
})

t.test('work that takes longer is late, and what comes of it then is dropped', async (t) => {
  for (const end of ['resolve', 'reject'] as const) {
    const clock = createManualClock()
    const ends: Record<'resolve' | 'reject', (value: unknown) => void> = { resolve: () => undefined, reject: () => undefined }
    const work = new Promise<unknown>((resolve, reject) => Object.assign(ends, { resolve, reject }))
    const rejected = t.rejects(fromStorage(work, { clock, limitMs: 10 }), {
      code: 'storage_unavailable',
      message: 'The storage did not answer in time'
    })
    await clock.advance(10)
    await rejected
    ends[end](new Error('too late'))
    await clock.advance(10)
  }
})

t.test('a pause ends after its time, one of none in the next iteration of the event loop', async (t) => {
  const clock = createManualClock()
  const ended: string[] = []
  void pause(clock, 5).then(() => ended.push('five'))
  void pause(clock, 0).then(() => ended.push('none'))
  t.same(ended, [])
  await clock.advance(4)
  t.same(ended, ['none'])
  await clock.advance(1)
  t.same(ended, ['none', 'five'])
})

t.test('work of which only the end matters gives its result in time, and leaves no timer', async (t) => {
  const clock = createManualClock()
  t.equal(await orTimeout(Promise.resolve('done'), { clock, limitMs: 10 }), 'done')
  await t.rejects(orTimeout(Promise.reject(new Error('Failed')), { clock, limitMs: 10 }), { message: 'Failed' })
  t.equal(clock.pending, 0)
})

t.test('and is waited for no longer than that', async (t) => {
  const clock = createManualClock()
  let isOver = false
  const waited = orTimeout(new Promise(() => undefined), { clock, limitMs: 10 }).finally(() => (isOver = true))
  await clock.advance(9)
  await settled()
  t.notOk(isOver)
  await clock.advance(1)
  t.equal(await waited, undefined)
})
