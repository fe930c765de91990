/** What follows from the heartbeats that a node hears. `test/actors/placement` tests several nodes together. */
import t from 'tap'
import {
  DEAD_MS,
  type Heartbeat,
  isReadByAll,
  isSameTeam,
  isSuspect,
  type Member,
  memberNamed,
  type Members,
  placeableNodes,
  SUSPECT_MS,
  toHeartbeat,
  withGone,
  withHeartbeat,
  withoutSilent
} from '../../../src/domain/nodes/membership.js'

const beat = (own: Partial<Heartbeat> = {}): Heartbeat => ({
  nodeId: 'a',
  incarnation: 'a1',
  state: 'up',
  activeSessions: 3,
  beatMs: 100,
  view: 'v',
  recordFormat: 2,
  connections: 2,
  ...own
})
const member = (own: Partial<Member> = {}): Member => ({ ...beat(own), heardAtMs: 0, isGone: false, ...own })
const membersOf = (...all: Member[]): Members => new Map(all.map((one) => [one.nodeId, one]))

t.test('a heartbeat is taken as it is, and nothing else of its message', async (t) => {
  t.strictSame(toHeartbeat({ ...beat(), more: 'of it' }), beat())
  t.strictSame(toHeartbeat(beat({ view: '', activeSessions: 0, beatMs: 0 })), beat({ view: '', activeSessions: 0, beatMs: 0 }))
  for (const state of ['joining', 'up', 'unfit', 'isolated', 'draining', 'superseded', 'left'] as const)
    t.equal(toHeartbeat(beat({ state }))?.state, state)
  t.ok(toHeartbeat(beat({ nodeId: 'x'.repeat(64) })))
})

t.test(
  'a node that does not say which records it reads knows the first format, and nobody is to write another one beside it',
  async (t) => {
    const { recordFormat: _, connections: _connections, ...silent } = beat({ nodeId: 'b' })
    t.match(toHeartbeat(silent), { recordFormat: 1, connections: 1 })
    const earlier: Member = { ...silent, heardAtMs: 0, isGone: false }
    for (const { members, format, isRead } of [
      { members: [], format: 2, isRead: true },
      { members: [member()], format: 2, isRead: true },
      { members: [member()], format: 3, isRead: false },
      { members: [member(), earlier], format: 1, isRead: true },
      { members: [member(), earlier], format: 2, isRead: false }
    ])
      t.equal(isReadByAll(members, format), isRead)
  }
)

t.test('what no node says is none', async (t) => {
  const odd: Partial<Record<keyof Heartbeat, unknown>>[] = [
    ...[
      { nodeId: '' },
      { nodeId: 'x'.repeat(65) },
      { nodeId: 'a.b' },
      { nodeId: 'a b' },
      { nodeId: 5 },
      { nodeId: ' a' },
      { nodeId: 'a\n' }
    ],
    ...[{ incarnation: '' }, { incarnation: undefined }, { incarnation: ['a1'] }, { state: 'king' }, { state: undefined }],
    ...[{ activeSessions: -1 }, { activeSessions: 0.5 }, { activeSessions: '3' }, { activeSessions: 2 ** 53 }],
    ...[{ view: null }, { view: 'a b' }, { view: 'x'.repeat(65) }],
    ...[0, 1.5, '2', null].flatMap((wrong) => [{ recordFormat: wrong }, { connections: wrong }]),
    ...[{ beatMs: -1 }, { beatMs: Number.NaN }, { beatMs: '5' }, { beatMs: undefined }]
  ]
  for (const own of odd) t.equal(toHeartbeat({ ...beat(), ...own }), null, JSON.stringify(own))
  for (const body of [null, undefined, 'up', 7, []]) t.equal(toHeartbeat(body), null)
})

t.test('of two incarnations the one heard last counts, and only its own goodbye takes it away', async (t) => {
  const first = withHeartbeat(new Map(), beat(), 10)
  t.strictSame(first.get('a'), { ...beat(), heardAtMs: 10, isGone: false })
  const second = withHeartbeat(first, beat({ incarnation: 'a2', beatMs: 5 }), 20)
  t.match(second.get('a'), { incarnation: 'a2', beatMs: 5, heardAtMs: 20 })
  t.equal(withHeartbeat(second, beat({ state: 'left' }), 30).size, 1, 'the one before it has left')
  t.equal(withHeartbeat(second, beat({ incarnation: 'a2', state: 'left' }), 30).size, 0)
  t.equal(withHeartbeat(second, beat({ nodeId: 'b', state: 'left' }), 30).size, 1, 'somebody who was never there')
  t.equal(first.size, 1, 'nothing is changed in place')
})

t.test('a heartbeat that was overtaken says nothing new of the time or of connections', async (t) => {
  const known = withHeartbeat(new Map(), beat({ beatMs: 100 }), 10)
  t.equal(withHeartbeat(known, beat({ beatMs: 60 }), 20).get('a')?.beatMs, 100)
  t.equal(withHeartbeat(known, beat({ beatMs: 160 }), 20).get('a')?.beatMs, 160)
  t.equal(withHeartbeat(known, beat({ connections: 1 }), 20).get('a')?.connections, 2)
  t.equal(withHeartbeat(known, beat({ connections: 3 }), 20).get('a')?.connections, 3)
  t.equal(withHeartbeat(known, beat({ incarnation: 'a2', connections: 1 }), 20).get('a')?.connections, 1, 'of another process')
})

t.test('a member is suspected from its time on, and dropped from its time on', async (t) => {
  const one = member({ heardAtMs: 1_000 })
  t.notOk(isSuspect(one, 1_000 + SUSPECT_MS - 1))
  t.ok(isSuspect(one, 1_000 + SUSPECT_MS))
  t.equal(withoutSilent(membersOf(one), 1_000 + DEAD_MS - 1).size, 1)
  t.equal(withoutSilent(membersOf(one), 1_000 + DEAD_MS).size, 0)
})

t.test('a member at which nobody is found is gone until it is heard, and only that incarnation', async (t) => {
  const known = membersOf(member())
  t.equal(withGone(known, { nodeId: 'a', incarnation: 'a0' }), known)
  t.equal(withGone(known, { nodeId: 'b', incarnation: 'a1' }), known)
  const gone = withGone(known, { nodeId: 'a', incarnation: 'a1' })
  t.equal(gone.get('a')?.isGone, true)
  t.equal(known.get('a')?.isGone, false)
  t.equal(withHeartbeat(gone, beat(), 5).get('a')?.isGone, false)
})

t.test('those that are up own everything, else those that are unfit, else those that drain', async (t) => {
  const each = (['draining', 'unfit', 'up', 'joining', 'isolated', 'superseded'] as const).map((state, at) =>
    member({ nodeId: `n${String(at)}`, state })
  )
  t.same(placeableNodes(membersOf(...each)), ['n2'])
  t.same(placeableNodes(membersOf(...each.filter(({ state }) => state !== 'up'))), ['n1'])
  t.same(placeableNodes(membersOf(...each.filter(({ state }) => state !== 'up' && state !== 'unfit'))), ['n0'])
  t.same(placeableNodes(membersOf(...each.slice(3))), [])
  t.same(placeableNodes(membersOf(member({ nodeId: 'b' }), member({ nodeId: 'c', isGone: true }), member({ nodeId: 'a' }))), ['a', 'b'])
})

t.test('a team is the same whatever its members have to do, and another when one comes, goes or becomes something else', async (t) => {
  const team = membersOf(member(), member({ nodeId: 'b' }))
  const changed = (own: Partial<Member>) => isSameTeam(team, membersOf(member(), member({ nodeId: 'b', ...own })))
  t.ok(changed({ activeSessions: 9, heardAtMs: 9, beatMs: 9, view: 'w' }))
  t.notOk(changed({ incarnation: 'b2' }))
  t.notOk(changed({ state: 'draining' }))
  t.notOk(changed({ isGone: true }))
  t.notOk(changed({ connections: 3 }))
  t.notOk(isSameTeam(team, membersOf(member())))
  t.notOk(isSameTeam(membersOf(member()), team))
  t.notOk(isSameTeam(team, membersOf(member(), member({ nodeId: 'c' }))))
})

t.test('a member is named by its incarnation', async (t) => {
  const one = member()
  t.equal(memberNamed(membersOf(one), one), one)
  t.equal(memberNamed(membersOf(one), { nodeId: 'a', incarnation: 'a2' }), undefined)
  t.equal(memberNamed(membersOf(one), { nodeId: 'b', incarnation: 'a1' }), undefined)
})
