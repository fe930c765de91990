import t from 'tap'
import { createSelfWatch } from '../../../actors/placement/self-watch.js'
import { ISOLATED_MS } from '../../../src/domain/nodes/membership.js'

function start() {
  let [nowMs, lost] = [500, 0]
  const watch = createSelfWatch({ clock: { monotonicMs: () => nowMs }, lost: () => void (lost += 1) })
  return { watch, pass: (ms: number) => void (nowMs += ms), lostCount: () => lost }
}

t.test('a node that stood still is not well from three seconds on, and gives up once for it', async (t) => {
  const { watch, pass, lostCount } = start()
  pass(ISOLATED_MS - 1)
  watch.noteHeard()
  t.equal(watch.check(), true)
  pass(1)
  t.equal(watch.check(), false)
  t.equal(lostCount(), 1)
  t.equal(watch.check(), true)
  pass(ISOLATED_MS - 1)
  watch.noteHeard()
  t.equal(watch.check(), true, 'as long again')
  watch.noteBeat()
  pass(1)
  t.equal(watch.check(), true)
  t.equal(lostCount(), 1)
})

t.test('a node that hears nothing of itself is not well until it begins anew', async (t) => {
  const { watch, pass, lostCount } = start()
  pass(ISOLATED_MS - 1)
  watch.noteBeat()
  t.equal(watch.check(), true)
  pass(1)
  t.equal(watch.check(), false)
  t.equal(watch.check(), false)
  t.equal(lostCount(), 2)
  watch.reset()
  t.equal(watch.check(), true)
  pass(ISOLATED_MS - 1)
  t.equal(watch.check(), true)
  pass(1)
  t.equal(watch.check(), false)
})
