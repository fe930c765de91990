import t from 'tap'
import { createSharedWork } from '../../../actors/asking/shared-work.js'

/** Creates work that ends when the test says so. */
function heldWork() {
  const ends: { resolve: (value: number) => void; reject: (error: Error) => void }[] = []
  const ask = createSharedWork(() => new Promise<number>((resolve, reject) => ends.push({ resolve, reject })))
  return { ends, ask }
}

t.test('a caller that asks while work runs shares the next run with all others that do', async (t) => {
  const { ends, ask } = heldWork()
  const first = ask()
  const second = ask()
  const third = ask()
  t.equal(ends.length, 1)
  ends[0]?.resolve(1)
  t.equal(await first, 1)
  await Promise.resolve()
  t.equal(ends.length, 2, 'one run for both')
  const fourth = ask()
  ends[1]?.resolve(2)
  t.strictSame(await Promise.all([second, third]), [2, 2])
  await Promise.resolve()
  ends[2]?.resolve(3)
  t.equal(await fourth, 3, 'a result is never older than its question')
  t.equal(ends.length, 3)
})

t.test('a failed run fails for those who wait for it and for nobody else', async (t) => {
  const { ends, ask } = heldWork()
  const first = ask()
  const second = ask()
  ends[0]?.reject(new Error('no'))
  await t.rejects(first, { message: 'no' })
  await Promise.resolve()
  ends[1]?.resolve(2)
  t.equal(await second, 2)
  const third = ask()
  ends[2]?.resolve(3)
  t.equal(await third, 3)
})
