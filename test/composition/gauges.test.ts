// Which nodes the metrics of a node show: an alert compares their number with that of the running nodes.
import t from 'tap'
import { heardBy } from '../../src/composition/gauges.js'
import { three } from '../support/membership-rig.js'

t.test('a node that is cut off shows itself alone until it hears the others again', async (t) => {
  const { clock, network, a, b } = await three(t)
  const shown = ({ membership }: typeof a) => heardBy(membership).map(({ nodeId, state, isGone }) => `${nodeId} ${isGone ? 'gone' : state}`)
  t.strictSame(shown(b).toSorted(), ['a up', 'b up', 'c up'])
  network.cut('b')
  await clock.advance(3_600)
  t.strictSame(shown(b), ['b isolated'])
  await clock.advance(10_000)
  t.strictSame(shown(b), ['b isolated'])
  t.strictSame(shown(a).toSorted(), ['a up', 'c up'], 'and those that hear each other no longer show it')
  network.heal('b')
  await clock.advance(2_000)
  t.strictSame(shown(b).toSorted(), ['a up', 'b up', 'c up'])
})
