import t from 'tap'
import { createNamesakeWatch } from '../../../actors/placement/namesake.js'
import { createManualClock } from '../../support/manual-clock.js'

t.test('of two processes with one name the one with the lower incarnation ends once it has heard the other for a second', async (t) => {
  const clock = createManualClock()
  const watch = createNamesakeWatch({ clock })
  t.equal(watch.yieldsTo({ incarnation: 'b' }, 'a'), false)
  await clock.advance(999)
  t.equal(watch.yieldsTo({ incarnation: 'b' }, 'a'), false)
  await clock.advance(1)
  t.equal(watch.yieldsTo({ incarnation: 'b' }, 'a'), true)
  t.equal(watch.yieldsTo({ incarnation: 'b' }, 'c'), false, 'the other one ends')
  t.equal(watch.yieldsTo({ incarnation: 'd' }, 'a'), false, 'another one is heard for a second, too')
  await clock.advance(1_000)
  t.equal(watch.yieldsTo({ incarnation: 'd' }, 'a'), true)
})
