import t from 'tap'
import { createScheduler } from './scheduler.js'

t.test('things happen by their time, and at the same time in the order in which they were planned', async (t) => {
  const scheduler = createScheduler()
  const happened: string[] = []
  const plan = (name: string, delayMs: number) => scheduler.after(delayMs, () => void happened.push(`${name} ${String(scheduler.nowMs)}`))
  plan('late', 30)
  plan('first', 10)
  plan('second', 10)
  plan('cancelled', 20)()
  plan('after the end', 50)
  scheduler.after(10, () => plan('planned meanwhile', 0))
  await scheduler.runUntil(40)
  t.strictSame(happened, ['first 10', 'second 10', 'planned meanwhile 10', 'late 30'])
  t.equal(scheduler.nowMs, 40)
})

t.test('each thing happens with all that follows from it by promises alone', async (t) => {
  const scheduler = createScheduler()
  const happened: string[] = []
  scheduler.after(1, () => {
    void (async () => {
      for (let round = 1; round <= 50; round++) await Promise.resolve()
      happened.push('followed')
    })()
  })
  scheduler.after(1, () => void happened.push('next'))
  await scheduler.runUntil(2)
  t.strictSame(happened, ['followed', 'next'])
})

t.test('a run ends with what a thing throws, and when time does not go on', async (t) => {
  const scheduler = createScheduler()
  scheduler.after(1, () => {
    throw new Error('broken')
  })
  await t.rejects(scheduler.runUntil(2), /broken/)
  const again = (): void => void scheduler.after(0, again)
  again()
  await t.rejects(scheduler.runUntil(3), /Time stands still/)
})
