import t from 'tap'
import { createLiveSessions } from '../../../actors/subject/live-sessions.js'
import type { PeerQuestion } from '../../../src/domain/commands/peer-questions.js'

interface Last {
  readonly id: string
  readonly idleMs: number
}

/** Rig of a subject's sessions on this node and on others, which give the answers of the test. */
function createRig(own: { ids?: string[]; last?: Last }, others: Record<string, unknown[]> = {}) {
  const asked: [PeerQuestion, number | undefined][] = []
  const putAway: (readonly string[])[] = []
  const live = createLiveSessions({
    catalog: () => ({
      activeIds: () => own.ids ?? [],
      mostRecent: () => own.last,
      passivate: async (_, ids) => void putAway.push(ids)
    }),
    peers: {
      askAll: async (question, deadlineMs) => {
        asked.push([question, deadlineMs])
        return { answers: (others[question.type] ?? []) as never[], missing: 1 }
      }
    }
  })
  return { live, asked, putAway }
}

t.test('a subject’s live sessions are those of all nodes that answer, each once', async (t) => {
  const { live, asked } = createRig({ ids: ['a', 'b'] }, { 'actors.active': [['b', 'c'], []] })
  t.same(await live.activeIds('alice'), ['a', 'b', 'c'])
  t.same(asked, [[{ type: 'actors.active', kind: 'session', subject: 'alice' }, undefined]])
})

t.test('the session that was used last is the one that has been idle for the shortest time, wherever it is', async (t) => {
  const own = { last: { id: 'own', idleMs: 50 } }
  const of = (...others: (Last | null)[]) => createRig(own, { 'sessions.last': others }).live.last('alice')
  t.equal(await of(null), 'own')
  t.equal(await of({ id: 'later', idleMs: 20 }, { id: 'earlier', idleMs: 900 }), 'later')
  t.equal(await createRig({}, { 'sessions.last': [null] }).live.last('alice'), null)
  t.equal(await createRig({}, { 'sessions.last': [null, { id: 'there', idleMs: 1 }] }).live.last('alice'), 'there')
})

t.test('sessions are put away on every node, which is given ten seconds for it', async (t) => {
  const { live, asked, putAway } = createRig({})
  await live.passivate('alice', ['a'])
  t.same(putAway, [['a']])
  t.same(asked, [[{ type: 'sessions.passivate', subject: 'alice', ids: ['a'] }, 10_000]])
})
