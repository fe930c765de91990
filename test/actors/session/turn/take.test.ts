import t from 'tap'
import { countNew } from '../../../../actors/session/turn/take.js'

t.test('texts that reword one memory take no room of their own, and others do, whatever they resemble', (t) => {
  const signal = (isUpdate: boolean, matchedId: string | null) => ({ isUpdate, matchedId, maxSim: 0 })
  t.equal(countNew([]), 0)
  t.equal(countNew([signal(false, null), signal(false, 'a')]), 2)
  t.equal(countNew([signal(true, 'a'), signal(true, 'b')]), 0)
  t.equal(countNew([signal(true, 'a'), signal(true, 'a'), signal(true, null)]), 2)
  t.end()
})
