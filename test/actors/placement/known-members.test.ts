/** What a node knows of the others, and how it reports that: to its own parts, in metrics and in logs. */
import t from 'tap'
import { membersTopic } from '../../../actors/placement/topics.js'
import { settled } from '../../support/manual-clock.js'
import { three, world } from '../../support/membership-rig.js'

t.test('newcomers of a moment get one answer, and nodes are not told more often than every tenth of a second', async (t) => {
  const { clock, network, join } = world(t)
  join('a')
  await clock.advance(1_100)
  let said = 0
  network.busOf('watcher').subscribe(membersTopic('a'), () => (said += 1))
  for (const nodeId of ['b', 'c', 'd']) join(nodeId)
  await clock.advance(1)
  t.equal(said, 1)
  join('e')
  await clock.advance(98)
  t.equal(said, 1)
  await clock.advance(1)
  t.equal(said, 2)
  // All nodes are up before they leave.
  await clock.advance(1_000)
})

t.test('what became of an incarnation: present, left, gone, or silent', async (t) => {
  const { clock, network, a, b, c } = await three(t)
  const [left, gone] = [b.membership.self, c.membership.self]
  const told = (name: typeof left) => [a.membership.isPresent(name), a.membership.hasEnded(name), a.membership.beatOf(name) !== null]
  t.same(told(left), [true, false, true])
  t.same(told({ ...left, incarnation: 'another' }), [false, false, false])
  b.membership.leave()
  await clock.advance(1)
  t.same(told(left), [false, true, false])
  network.kill('c')
  a.membership.noteUnreachable(gone)
  await clock.advance(300)
  t.same(told(gone), [false, true, true])
  const d = world(t)
  const [one, other] = [d.join('one'), d.join('other')]
  await d.clock.advance(1_000)
  const silent = other.membership.self
  d.network.cut('other')
  await d.clock.advance(6_000)
  t.same(one.membership.members().length, 1)
  t.same([one.membership.isPresent(silent), one.membership.hasEnded(silent)], [false, false], 'it may only stand still')
})

t.test('a node remembers the last sixteen that have left', async (t) => {
  const { clock, network, a } = await three(t)
  const hostile = network.busOf('z')
  const beat = { nodeId: 'z', state: 'left', activeSessions: 0, beatMs: 0, view: '' }
  for (let at = 0; at < 17; at++) hostile.publish(membersTopic('z'), { ...beat, incarnation: `z${String(at)}` })
  await clock.advance(1)
  const hasEnded = (at: number) => a.membership.hasEnded({ nodeId: 'z', incarnation: `z${String(at)}` })
  t.same([hasEnded(0), hasEnded(1), hasEnded(16)], [false, true, true])
  t.equal(a.counted.filter((one) => one.name === 'membership_change' && one.change === 'left').length, 0, 'nobody knew them')
})

t.test('listeners are told of every change among the nodes until they end it, and of nothing else', async (t) => {
  const { clock, a, b } = await three(t)
  let told = 0
  const end = a.membership.onChange(() => (told += 1))
  await clock.advance(2_000)
  t.equal(told, 0)
  b.membership.drain()
  await clock.advance(1)
  t.equal(told, 1)
  end()
  b.membership.leave()
  await clock.advance(1)
  t.equal(told, 1)
})

t.test('those that come and are lost are counted once each, and logged by name', async (t) => {
  const { clock, network, a } = await three(t)
  const counted = (change: string) => a.counted.filter((one) => one.name === 'membership_change' && one.change === change).length
  t.equal(counted('joined'), 2)
  network.kill('b')
  await clock.advance(2_500)
  t.equal(counted('lost'), 1)
  await clock.advance(4_000)
  t.equal(counted('lost'), 1)
  network.cut('c')
  await clock.advance(6_000)
  t.equal(counted('lost'), 2)
  t.same(
    a.lines.map(({ level, fields }) => ({ level, ...fields })),
    [
      { level: 'warn', node: 'b' },
      { level: 'warn', node: 'c' }
    ]
  )
})

t.test('a node takes something on while it joins, belongs or drains, and not while it stood still, is cut off or has left', async (t) => {
  const { clock, network, join } = world(t)
  const a = join('a')
  t.equal(a.membership.isAwake(), true, 'joining')
  await clock.advance(1_000)
  t.equal(a.membership.isAwake(), true, 'up')
  a.storage.answers = false
  await clock.advance(4_000)
  t.equal(a.membership.state, 'unfit')
  t.equal(a.membership.isAwake(), true, 'unfit')
  a.storage.answers = true
  await clock.advance(1_000)
  a.stop()
  await clock.advance(3_000)
  t.equal(a.membership.isAwake(), false, 'stood still, and has not run since')
  t.equal(a.membership.isAwake(), false, 'nor when it is asked again')
  a.resume()
  await clock.advance(2_000)
  network.cut('a')
  await clock.advance(4_000)
  t.equal(a.membership.state, 'isolated')
  t.equal(a.membership.isAwake(), false)
  network.heal('a')
  await clock.advance(2_000)
  a.membership.drain()
  t.equal(a.membership.isAwake(), true, 'draining')
  a.membership.leave()
  t.equal(a.membership.isAwake(), false, 'left')
})

t.test('a node that gave up what it has takes nothing on until it joins again, though it has heard of itself just now', async (t) => {
  const { clock, network, a } = await three(t)
  const hear = async (nodeId: string, incarnation: string) => {
    const beat = { nodeId, incarnation, state: 'up', activeSessions: 0, beatMs: 0, view: '' }
    network.busOf(nodeId).publish(membersTopic(nodeId), beat)
    await settled()
  }
  clock.work(2_900)
  await hear('a', a.membership.self.incarnation)
  const states: [state: string, isAwake: boolean][] = []
  a.membership.onChange(() => states.push([a.membership.state, a.membership.isAwake()]))
  clock.work(200)
  await hear('z', 'z1')
  t.same(states[0], ['isolated', false], 'its timers have not run for three seconds')
  t.same(states.at(-1), ['joining', true])
})

t.test('a node that stood still gives up what it has with the first message that it reads, whatever its timers do', async (t) => {
  const { clock, a, b } = await three(t)
  clock.work(2_900)
  b.membership.drain()
  await settled()
  t.equal(a.heard.fences, 0, 'not yet three seconds')
  clock.work(500)
  b.membership.leave()
  await settled()
  t.equal(a.heard.fences, 1)
})

t.test('each change tells the debugger how many are known, and how many can own something', async (t) => {
  const { clock, a, b } = await three(t)
  b.membership.drain()
  await clock.advance(1)
  const event = a.events.at(-1)
  t.match(event, { kind: 'nodes.changed', subject: null })
  t.match(event?.data, { node: 'a', state: 'up', known: 3, placeable: 2, view: /^[0-9a-f]{16}$/ })
  t.match(a.membership.members(), [{ activeSessions: 1 }, {}, {}])
})

t.test('nodes with the same view of each other say so, and another incarnation makes another view', async (t) => {
  const { clock, network, all, b } = await three(t)
  const views = () => new Set(all.flatMap((membership) => membership.members().map(({ view }) => view)))
  await clock.advance(600)
  const before = views()
  t.equal(before.size, 1)
  network.cut('b')
  await clock.advance(5_000)
  network.heal('b')
  await clock.advance(3_000)
  t.equal(b.heard.incarnations.length, 2)
  t.equal(views().size, 1)
  t.not([...views()][0], [...before][0])
})
