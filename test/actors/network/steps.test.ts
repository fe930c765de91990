/** A network without a runtime: what its steps change, and what its preparations ask of the sessions. */
import t from 'tap'
import { createNetworkBehaviour } from '../../../actors/network/behaviour.js'
import type { Ask } from '../../../actors/asking/ask.js'
import type { Room } from '../../../actors/weight/room.js'
import type { Address } from '../../../src/domain/address.js'
import type { ReplyOf } from '../../../src/domain/commands/commands.js'
import type { SessionStateView } from '../../../src/domain/commands/coordination-commands.js'
import type { NetworkCommand, TrustScore } from '../../../src/domain/commands/network-commands.js'
import type { Occurrence } from '../../../src/domain/commands/occurrences.js'
import { DomainError } from '../../../src/domain/errors.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { totalOf, type Weight } from '../../../src/domain/fairness/weight.js'
import type { DebugEvent, RecordChanges } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'
import { UNBOUNDED } from '../../support/unbounded.js'

const NETWORK: Address = { kind: 'network', subject: 'tester', id: 'one' }

/** Answer of a session about itself; null if it is stored but ends before it is asked. */
type Session = Partial<SessionStateView> | DomainError | null

const towards = (...vector: number[]): Session => ({ state: { vector: Float32Array.from(vector), users: [] } })

async function createRig(sessions: Record<string, Session>) {
  const clock = createManualClock()
  const storage = createMemoryStorage({ retains: true })
  const asked: string[] = []
  const passivated: (readonly string[])[] = []
  const events: DebugEvent[] = []
  const counted: Occurrence[] = []
  const warned: string[] = []
  const view: SessionStateView = {
    state: null,
    dimension: 2,
    modelName: 'model-1',
    phase: 'exploration',
    driftPhase: 'stable',
    driftScore: 0,
    interactionCount: 0,
    totalMemories: 0
  }
  const head = (partition: string) => ({
    session: { settings: { modelName: 'model-1' }, lastActiveAt: 0 },
    memoryCount: 1,
    ties: { partition }
  })
  for (const [id, partition] of Object.keys(sessions).map((id) => [id, id.startsWith('of-ann') ? 'ann' : 'default'] as const))
    await storage.create({ kind: 'session', subject: 'tester', id }, { head: head(partition), put: [], remove: [] })
  const behaviour = createNetworkBehaviour({
    clock,
    storage,
    tracer: { isEnabled: true, emit: (event) => void events.push(event) },
    counters: { count: (occurrence) => void counted.push(occurrence) },
    logger: { debug: () => {}, info: () => {}, warn: (_, message) => void warned.push(message), error: () => {} },
    ask: (async ({ id }: Address) => {
      asked.push(id)
      const session = sessions[id]
      if (session === null || session === undefined) throw new DomainError('session_missing', 'Session not found')
      if (session instanceof DomainError) throw session
      return { ...view, ...session }
    }) as Ask,
    sessions: {
      activeIds: async () => Object.keys(sessions),
      passivate: async (_, ids) => {
        passivated.push(ids)
        if (ids.includes('of-ann-stuck')) throw new Error('stuck')
      }
    }
  })
  const meta = { address: NETWORK, requestId: 'r', now: 100, room: UNBOUNDED }
  const made = await behaviour.initiate(NETWORK, { type: 'network.active' }, meta)
  if (made === null) throw new Error('no network was made')
  let { state } = made
  const rows = new Map<string, { collection: string; id: string; body: unknown }>()
  const keep = (changes: RecordChanges | null): void => {
    for (const { collection, id } of changes?.remove ?? []) rows.delete(`${collection}/${id}`)
    for (const row of changes?.put ?? []) rows.set(`${row.collection}/${row.id}`, row)
  }
  return {
    behaviour,
    asked,
    passivated,
    events,
    counted,
    warned,
    rows,
    get state() {
      return state
    },
    async ask<C extends NetworkCommand>(
      command: C,
      { signal = new AbortController().signal, room = UNBOUNDED }: { signal?: AbortSignal; room?: Room } = {}
    ) {
      const prepared = await behaviour.prepare(state, command, { ...meta, signal, room })
      const { reply, changes, afterwards } = inOneGo(behaviour.step(state, command, prepared, { ...meta, isFresh: false }))
      keep(changes)
      await afterwards?.()
      return { reply: reply as ReplyOf<C>, changes }
    },
    restart() {
      state = inOneGo(behaviour.restore(NETWORK, { head: state.head, rows: [...rows.values()].reverse(), token: { epoch: 1, version: 1 } }))
    }
  }
}

t.test('a switch says who was active before, and puts the sessions of that partition away', async (t) => {
  const rig = await createRig({ a: {}, b: {}, 'of-ann': {} })
  t.same((await rig.ask({ type: 'network.active' })).reply, { activeUser: 'default' })
  t.same((await rig.ask({ type: 'network.switch', userId: 'ann' })).reply, { activeUser: 'ann', previousUser: 'default' })
  t.same(rig.passivated, [['a', 'b']])
  t.same(rig.events, [{ kind: 'network.switched', subject: 'tester', data: { users: 2, actor: 'network', id: 'one' } }])
  rig.restart()
  t.same((await rig.ask({ type: 'network.active' })).reply, { activeUser: 'ann' })
  t.same((await rig.ask({ type: 'network.switch', userId: 'default' })).reply, { activeUser: 'default', previousUser: 'ann' })
  t.same(rig.passivated[1], ['of-ann'])
  t.same([...rig.rows.keys()], ['user/ann'], 'one who was there before is not written again')
})

t.test(
  'a network that comes back knows users by their switches and sessions by their votes, and takes neither for the other',
  async (t) => {
    const rig = await createRig({ a: towards(1, 0), b: towards(1, 0) })
    await rig.ask({ type: 'network.switch', userId: 'ann' })
    const { reply } = await rig.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [1, 0] })
    rig.restart()
    await rig.ask({ type: 'network.switch', userId: 'default' })
    t.strictSame((await rig.ask({ type: 'network.switch', userId: 'ann' })).changes?.put, [], 'she is known')
    t.equal(await codeOf(rig.ask({ type: 'network.serialize', userId: 'a' })), 'user_missing')
    t.strictSame((await rig.ask({ type: 'network.trust' })).reply.trustScores, reply.trustScores)
  }
)

t.test('a switch to the user who is active changes nothing', async (t) => {
  const rig = await createRig({ a: {} })
  const { reply, changes } = await rig.ask({ type: 'network.switch', userId: 'default' })
  t.same(reply, { activeUser: 'default', previousUser: 'default' })
  t.equal(changes, null)
  t.same([rig.passivated, rig.events], [[], []])
})

t.test('a switch stands though a partition cannot be put away', async (t) => {
  const rig = await createRig({ 'of-ann-stuck': {} })
  await rig.ask({ type: 'network.switch', userId: 'ann' })
  await rig.ask({ type: 'network.switch', userId: 'bob' })
  t.same((await rig.ask({ type: 'network.active' })).reply, { activeUser: 'bob' })
  t.same(rig.warned, ['A partition could not be put away'])
})

t.test('a network has ten thousand users and no more, and those it has can still be switched to', async (t) => {
  const rig = await createRig({})
  for (let n = 1; n < 10_000; n++) rig.state.users.add(`u${n}`)
  t.equal(await codeOf(rig.ask({ type: 'network.switch', userId: 'one more' })), 'limit_reached')
  t.notOk(rig.state.users.has('one more'))
  t.same((await rig.ask({ type: 'network.switch', userId: 'u7' })).reply, { activeUser: 'u7', previousUser: 'default' })
})

t.test('a network is made by whatever is asked of it, but for a user there cannot be, and for a session that ends', async (t) => {
  const { behaviour } = await createRig({})
  const isMade = async (command: NetworkCommand) =>
    (await behaviour.initiate(NETWORK, command, { address: NETWORK, requestId: 'r', now: 0, room: UNBOUNDED })) !== null
  t.ok(await isMade({ type: 'network.trust' }))
  t.ok(await isMade({ type: 'network.serialize', userId: 'default' }))
  t.notOk(await isMade({ type: 'network.serialize', userId: 'ann' }))
  t.notOk(await isMade({ type: 'network.dropSession', sessionId: 'a' }))
  t.match(behaviour.missing(NETWORK), { code: 'user_missing', message: 'User not found' })
})

t.test('a network without other users and trust is as it is made, and no memory is kept for it', async (t) => {
  const isKept = ({ behaviour, state }: Awaited<ReturnType<typeof createRig>>) => behaviour.isIrreplaceable?.(state)
  const switched = await createRig({})
  t.equal(isKept(switched), false)
  await switched.ask({ type: 'network.trust' })
  t.equal(isKept(switched), false)
  await switched.ask({ type: 'network.switch', userId: 'ann' })
  await switched.ask({ type: 'network.switch', userId: 'default' })
  t.equal(isKept(switched), true, 'ann is known')
  const voting = await createRig({ a: towards(1, 0) })
  await voting.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [1, 0] })
  t.equal(isKept(voting), true)
  await voting.ask({ type: 'network.dropSession', sessionId: 'a' })
  t.equal(isKept(voting), false)
  t.equal(voting.behaviour.isIrreplaceable?.(null), true, 'of one that has failed nothing is known')
})

t.test('a proposal that is accepted raises the trust of those who agreed, and lowers that of the others', async (t) => {
  const rig = await createRig({ a: towards(1, 0), b: towards(1, 0), c: towards(-1, 0), d: {} })
  for (const id of ['a', 'b']) rig.state.trust.set(id, 0.8)
  const { reply } = await rig.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [2, 0] })
  t.match(reply, {
    accepted: true,
    votes: [{ sessionId: 'a', similarity: 1, weight: 0.8 }, {}, { sessionId: 'c', similarity: -1, weight: 0.5 }, {}]
  })
  t.same(reply.votes[3], { sessionId: 'd', similarity: 0, weight: 0.5 }, 'to one that has heard nothing it means nothing')
  const trust = { a: 0.82, b: 0.82, c: 0.45, d: 0.45 }
  t.same(rounded(reply.trustScores), trust)
  t.equal(rig.state.head.trustedCount, 4)
  t.same(rig.counted, [{ name: 'consensus', outcome: 'accepted' }])
  t.match(rig.events, [{ kind: 'network.decided', data: { accepted: true, votes: 4 } }])
  rig.restart()
  t.same(rounded((await rig.ask({ type: 'network.trust' })).reply.trustScores), trust)
})

t.test('a proposal that is refused leaves all trust as it is', async (t) => {
  const rig = await createRig({ a: towards(1, 0), b: towards(-1, 0) })
  const { reply, changes } = await rig.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [1, 0] })
  t.same(
    [reply.accepted, reply.approval, reply.trustScores],
    [
      false,
      0.5,
      [
        { sessionId: 'a', trust: 0.5 },
        { sessionId: 'b', trust: 0.5 }
      ]
    ]
  )
  t.equal(changes, null)
  t.same(rig.counted, [{ name: 'consensus', outcome: 'refused' }])
})

t.test('sessions of another dimension or model, that fail by themselves, or that end meanwhile do not vote', async (t) => {
  const rig = await createRig({
    a: towards(1, 0),
    b: { dimension: 3 },
    c: { modelName: 'model-2' },
    d: new DomainError('internal', 'Internal error'),
    e: null
  })
  const { reply } = await rig.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [1, 0] })
  t.same(
    reply.votes.map(({ sessionId }) => sessionId),
    ['a']
  )
  t.same(
    reply.trustScores.map(({ sessionId }) => sessionId),
    ['a', 'b', 'c', 'd', 'e']
  )
})

t.test('a proposal is refused without its proposer, in another dimension, and where a session cannot answer now', async (t) => {
  const rig = await createRig({ a: towards(1, 0), b: new DomainError('busy', 'Too many') })
  const propose = (proposerSessionId: string, targetEmbedding: readonly number[], signal?: AbortSignal) =>
    rig.ask({ type: 'network.consensus', proposerSessionId, targetEmbedding }, { ...(signal !== undefined && { signal }) })
  await t.rejects(propose('x', [1, 0]), { code: 'session_missing', message: 'Proposer session not found' })
  await t.rejects(propose('a', [1, 0, 0]), { code: 'invalid_input', loc: ['target_embedding'] })
  t.same(rig.asked, ['x', 'a'])
  t.equal(await codeOf(propose('a', [1, 0])), 'busy')
  t.equal(await codeOf(propose('a', [1, 0], AbortSignal.abort())), 'deadline_passed')
})

t.test('trust in a session goes with it, at its end or at the next proposal', async (t) => {
  const rig = await createRig({ a: towards(1, 0), b: towards(1, 0) })
  await rig.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [1, 0] })
  t.same((await rig.ask({ type: 'network.dropSession', sessionId: 'b' })).reply, { dropped: true })
  t.equal(rig.state.head.trustedCount, 1)
  const again = await rig.ask({ type: 'network.dropSession', sessionId: 'b' })
  t.same([again.reply, again.changes], [{ dropped: false }, null])
  rig.state.trust.set('gone', 0.9)
  await rig.ask({ type: 'network.consensus', proposerSessionId: 'a', targetEmbedding: [1, 0] })
  t.same([...rig.state.trust.keys()], ['a', 'b'])
  t.equal(rig.state.head.trustedCount, 2)
})

t.test('a partition is serialised of a user who was active at some time, and of no other', async (t) => {
  const rig = await createRig({})
  t.match((await rig.ask({ type: 'network.serialize', userId: 'default' })).reply.partition, { userId: 'default', sessions: [] })
  t.equal(await codeOf(rig.ask({ type: 'network.serialize', userId: 'ann' })), 'user_missing')
  await rig.ask({ type: 'network.switch', userId: 'ann' })
  t.match((await rig.ask({ type: 'network.serialize', userId: 'ann' })).reply.partition, { userId: 'ann' })
})

t.test('room is asked for a user who is new, and before anybody is asked', async (t) => {
  const rig = await createRig({})
  const wanted: number[] = []
  const room = { reserve: async (growth: Weight) => void wanted.push(totalOf(growth)) } as Room
  await rig.ask({ type: 'network.active' }, { room })
  await rig.ask({ type: 'network.switch', userId: 'default' }, { room })
  t.same(wanted, [])
  await rig.ask({ type: 'network.switch', userId: 'ann' }, { room })
  t.equal(wanted.length, 1)
  t.ok((wanted[0] ?? 0) > 0)
})

function rounded(scores: readonly TrustScore[]): Record<string, number> {
  return Object.fromEntries(scores.map(({ sessionId, trust }) => [sessionId, Math.round(trust * 1_000) / 1_000]))
}
