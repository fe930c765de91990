import fc from 'fast-check'
import t from 'tap'
import { recordFailure } from '../../../src/domain/nodes/restart-intensity.js'

const intensity = { failuresMax: 5, windowMs: 30_000 }

function failing(...atMs: number[]): boolean[] {
  let failedAtMs: readonly number[] = []
  return atMs.map((at) => {
    const verdict = recordFailure(failedAtMs, at, intensity)
    failedAtMs = verdict.failedAtMs
    return verdict.isExceeded
  })
}

t.test('five failures exceed the limit when all are within the window', async (t) => {
  t.same(failing(0, 1, 2, 3, 29_999), [false, false, false, false, true])
  t.same(failing(0, 1, 2, 3, 30_000), [false, false, false, false, false])
  t.same(failing(0, 7_000, 14_000, 21_000, 28_000, 35_000), [false, false, false, false, true, true])
})

t.test('any history is exceeded exactly when the window holds that many failures, and stays bounded', async () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { maxLength: 60 }), (gaps) => {
      const times: number[] = []
      let failedAtMs: readonly number[] = []
      for (const gap of gaps) {
        const atMs = (times.at(-1) ?? 0) + gap
        times.push(atMs)
        const verdict = recordFailure(failedAtMs, atMs, intensity)
        failedAtMs = verdict.failedAtMs
        const within = times.filter((time) => atMs - time < intensity.windowMs).length
        if (verdict.isExceeded !== within >= intensity.failuresMax || failedAtMs.length > intensity.failuresMax) return false
      }
      return true
    })
  )
})
