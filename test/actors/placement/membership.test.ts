import t from 'tap'
import type { Membership } from '../../../actors/placement/membership.js'
import { membersTopic } from '../../../actors/placement/topics.js'
import { ownersBy, three, world } from '../../support/membership-rig.js'

t.test('nodes that join agree on every owner, and each owns its share', async (t) => {
  const { all } = await three(t)
  const owners = ownersBy(t, all)
  for (const nodeId of ['a', 'b', 'c']) t.ok(owners.filter((owner) => owner === nodeId).length > 5)
})

t.test('a node that listens before it is up owns nothing', async (t) => {
  const { clock, join } = world(t)
  const a = join('a')
  await clock.advance(1_000)
  const b = join('b')
  await clock.advance(100)
  t.equal(b.membership.state, 'joining')
  t.strictSame(new Set(ownersBy(t, [a.membership, b.membership])), new Set(['a']))
  await clock.advance(1_000)
  t.strictSame(new Set(ownersBy(t, [a.membership, b.membership])), new Set(['a', 'b']))
})

t.test('a node that drains leaves what it owned to the others at once, and only that moves', async (t) => {
  const { clock, all, a, b, c } = await three(t)
  const before = ownersBy(t, all)
  b.membership.drain()
  await clock.advance(1)
  const after = ownersBy(t, [a.membership, b.membership, c.membership])
  for (const [at, owner] of before.entries())
    if (owner === 'b') t.not(after[at], 'b')
    else t.equal(after[at], owner)
  b.membership.leave()
  await clock.advance(1)
  t.strictSame(idsOf(a), ['a', 'c'])
  t.match(a.counted.filter(({ name }) => name === 'membership_change').at(-1), { change: 'left' })
})

t.test('the last node that drains owns what there is until it has left', async (t) => {
  const { clock, join } = world(t)
  const a = join('a')
  await clock.advance(1_000)
  a.membership.drain()
  t.strictSame(new Set(ownersBy(t, [a.membership])), new Set(['a']))
})

t.test('a node whose process has ended is found out by its silence, before one that may only stand still', async (t) => {
  const { clock, network, a, c } = await three(t)
  network.kill('b')
  await clock.advance(1_400)
  t.ok(ownersBy(t, [a.membership, c.membership]).includes('b'))
  await clock.advance(1_000)
  t.notOk(ownersBy(t, [a.membership, c.membership]).includes('b'))
  await clock.advance(4_000)
  t.strictSame(idsOf(a), ['a', 'c'])
})

t.test('a node that is silent is taken for dead after four seconds, not after three', async (t) => {
  const { clock, network, a, c } = await three(t)
  network.cut('b')
  await clock.advance(3_000)
  t.ok(ownersBy(t, [a.membership, c.membership]).includes('b'))
  await clock.advance(1_600)
  t.notOk(ownersBy(t, [a.membership, c.membership]).includes('b'))
})

t.test('a node at which nobody is found twice is left out at once, and is back with its next heartbeat', async (t) => {
  const { clock, network, a, b } = await three(t)
  network.kill('b')
  const name = b.membership.self
  a.membership.noteUnreachable(name)
  t.ok(a.membership.isPresent(name))
  await clock.advance(300)
  t.notOk(a.membership.isPresent(name))
  t.notOk(ownersBy(t, [a.membership]).includes('b'))
})

t.test('a node at which somebody is found the second time stays', async (t) => {
  const { clock, a, b } = await three(t)
  a.membership.noteUnreachable(b.membership.self)
  await clock.advance(3_000)
  t.ok(a.membership.isPresent(b.membership.self))
})

t.test('a node that is cut off itself takes nobody for gone', async (t) => {
  const { clock, network, a, b } = await three(t)
  network.cut('a', { notices: true })
  a.membership.noteUnreachable(b.membership.self)
  await clock.advance(1_000)
  t.ok(a.membership.isPresent(b.membership.self))
})

for (const direction of ['both', 'to', 'from'] as const) {
  t.test(
    `a node whose line is cut (${direction}) gives up what it has before the others take it over, and comes back as another one`,
    async (t) => {
      const { clock, network, a, b, c } = await three(t)
      const before = b.membership.self
      network.cut('b', { direction })
      await clock.advance(2_400)
      t.equal(b.membership.state, 'up')
      t.equal(b.heard.fences, 0)
      await clock.advance(1_200)
      t.equal(b.membership.state, 'isolated')
      t.equal(b.heard.fences, 1)
      t.match(b.counted.at(-1), { name: 'membership_change', change: 'isolated' })
      await clock.advance(2_000)
      t.notOk(ownersBy(t, [a.membership, c.membership]).includes('b'))
      network.heal('b')
      await clock.advance(2_000)
      t.equal(b.membership.state, 'up')
      t.not(b.membership.self.incarnation, before.incarnation)
      t.notOk(a.membership.isPresent(before))
      t.ok(ownersBy(t, [a.membership, b.membership, c.membership]).includes('b'))
      t.equal(b.heard.superseded, 0)
    }
  )
}

t.test('a process that stood still for three seconds gives up what it has as soon as it runs again', async (t) => {
  const { clock, b, all } = await three(t)
  const before = b.membership.self
  b.stop()
  await clock.advance(5_000)
  b.resume()
  t.equal(b.heard.fences, 1)
  await clock.advance(3_000)
  t.equal(b.membership.state, 'up')
  t.not(b.membership.self.incarnation, before.incarnation)
  ownersBy(t, all)
})

t.test('a process that stood still for a second goes on as it was', async (t) => {
  const { clock, b, all } = await three(t)
  const before = b.membership.self
  b.stop()
  await clock.advance(1_000)
  b.resume()
  await clock.advance(3_000)
  t.equal(b.heard.fences, 0)
  t.strictSame(b.membership.self, before)
  ownersBy(t, all)
})

t.test('a node whose storage does not answer leaves its work to the others until it does', async (t) => {
  const { clock, all, b } = await three(t)
  b.storage.answers = false
  await clock.advance(2_000)
  t.ok(ownersBy(t, all).includes('b'))
  await clock.advance(2_000)
  t.notOk(ownersBy(t, all).includes('b'))
  b.storage.answers = true
  await clock.advance(1_000)
  t.ok(ownersBy(t, all).includes('b'))
  t.equal(b.heard.fences, 0)
})

t.test('nodes whose storage is gone for all keep what they have', async (t) => {
  const { clock, all, a, b, c } = await three(t)
  const before = ownersBy(t, all)
  for (const { storage } of [a, b, c]) storage.answers = false
  await clock.advance(5_000)
  t.strictSame(ownersBy(t, all), before)
})

t.test('a node that has left hears and says nothing any more', async (t) => {
  const { clock, network, join } = world(t)
  const [a, b] = [join('a'), join('b')]
  await clock.advance(1_000)
  let said = 0
  network.busOf('watcher').subscribe(membersTopic('a'), () => (said += 1))
  a.membership.leave()
  await clock.advance(1)
  t.equal(said, 1, 'goodbye')
  const known = a.membership.members().length
  join('c')
  await clock.advance(5_000)
  t.equal(a.membership.members().length, known)
  t.equal(said, 1)
  a.membership.leave()
  await clock.advance(1)
  t.equal(said, 1, 'twice is fine')
  t.same(idsOf(b), ['b', 'c'])
})

t.test('a second process of the same name ends the first one, and stays', async (t) => {
  const { clock, join } = world(t)
  const first = join('a')
  await clock.advance(1_000)
  const second = join('a')
  await clock.advance(1)
  t.equal(first.heard.superseded, 1, 'as soon as the second one says that it joins')
  await clock.advance(2_000)
  t.equal(first.heard.superseded, 1)
  t.equal(first.heard.fences, 1)
  t.notOk(
    first.counted.some((one) => one.name === 'membership_change' && one.change === 'isolated'),
    'it was not cut off'
  )
  t.equal(second.heard.superseded, 0)
  t.equal(second.membership.state, 'up')
})

t.test('of two processes that take a name at the same moment one ends, and the other one stays', async (t) => {
  const { clock, join } = world(t)
  const [other, first, second] = [join('b'), join('a'), join('a')]
  await clock.advance(5_000)
  await Promise.all([other.up, first.up, second.up])
  t.equal(first.heard.superseded + second.heard.superseded, 1)
  const stays = first.heard.superseded === 0 ? first : second
  t.equal(stays.membership.state, 'up')
  // Its process ends.
  const ends = stays === first ? second : first
  ends.membership.leave()
  await clock.advance(1_000)
  t.equal(stays.heard.superseded, 0)
  t.strictSame(
    other.membership
      .members()
      .map(({ nodeId, incarnation }) => `${nodeId} ${incarnation}`)
      .sort(),
    [`a ${stays.membership.self.incarnation}`, `b ${other.membership.self.incarnation}`]
  )
})

t.test('a heartbeat that is malformed or says another name than its topic changes nothing', async (t) => {
  const { clock, network, all, a } = await three(t)
  const before = ownersBy(t, all)
  const sound = { nodeId: 'a', incarnation: 'forged', state: 'joining', activeSessions: 0, beatMs: 0, view: '' }
  const hostile = network.busOf('z')
  const forged = [sound, { ...sound, state: 'left', incarnation: a.membership.self.incarnation }, { ...sound, nodeId: 'b', state: 'up' }]
  for (const body of forged) for (const topic of ['z', 'c']) hostile.publish(`engram.members.${topic}`, body)
  const own = { ...sound, nodeId: 'z', state: 'up', incarnation: 'one' }
  const malformed: unknown[] = [
    null,
    7,
    'up',
    [],
    {},
    [own],
    new Map(Object.entries(own)),
    { ...own, nodeId: 5 },
    { ...own, nodeId: '' },
    { ...own, incarnation: null },
    { ...own, incarnation: 'x'.repeat(65) },
    { ...own, incarnation: 'a.b' },
    { ...own, state: 'king' },
    { ...own, state: '__proto__' },
    { ...own, activeSessions: Number.NaN },
    { ...own, activeSessions: -1 },
    { ...own, activeSessions: '9' },
    { ...own, activeSessions: 2 ** 60 },
    { ...own, view: {} },
    { ...own, view: 'x'.repeat(1_000) },
    Object.create(own)
  ]
  for (const body of malformed) hostile.publish('engram.members.z', body)
  await clock.advance(2_000)
  t.strictSame(ownersBy(t, all), before)
  t.equal(a.heard.superseded, 0)
  t.equal(a.membership.state, 'up')
  for (const { length } of all.map((membership) => membership.members())) t.equal(length, 3)
  hostile.publish('engram.members.z', own)
  await clock.advance(100)
  t.ok(ownersBy(t, all).includes('z'), 'as itself it is heard')
})

function idsOf({ membership }: { readonly membership: Pick<Membership, 'members'> }): string[] {
  return Array.from(membership.members(), ({ nodeId }) => nodeId).sort()
}
