import t from 'tap'
import { createPeers } from '../../../actors/placement/peers.js'
import { questionsTopic } from '../../../actors/placement/topics.js'
import type { Member, NodeState } from '../../../src/domain/nodes/membership.js'

const QUESTION = { type: 'actors.active', kind: 'session', subject: 'alice' } as const

/** Peers by name, with their states and answers; an Error means no answer. This node is `self`. */
function createRig(others: Record<string, { state?: NodeState; isGone?: boolean; answer: unknown }>) {
  const asked: [topic: string, deadlineMs: number][] = []
  const logged: unknown[] = []
  const named = (nodeId: string, fields: Partial<Member>): Member => ({
    ...{ nodeId, incarnation: `i-${nodeId}`, state: 'up', activeSessions: 0, view: '', heardAtMs: 0, beatMs: 0, isGone: false },
    ...fields
  })
  const members = Object.entries(others).map(([id, { state = 'up', isGone = false }]) => named(id, { state, isGone }))
  const self = named('self', {})
  const silent = () => undefined
  const peers = createPeers({
    bus: {
      async request(topic, _, { deadlineMs }) {
        asked.push([topic, deadlineMs])
        const answer = Object.entries(others).find(([id]) => topic === questionsTopic(named(id, {})))?.[1].answer
        if (answer instanceof Error) throw answer
        return answer
      }
    },
    membership: { self, members: () => [self, ...members] },
    logger: { debug: (fields) => void logged.push(fields), info: silent, warn: silent, error: silent }
  })
  const topicsOf = (...ids: string[]) => ids.map((id) => questionsTopic(named(id, {})))
  return { peers, asked, logged, topicsOf }
}

t.test('every other node that may have actors is asked, within a second unless said otherwise', async (t) => {
  const states: readonly NodeState[] = ['joining', 'up', 'unfit', 'draining', 'isolated', 'left']
  const { peers, asked, logged, topicsOf } = createRig({
    ...Object.fromEntries(states.map((state) => [state, { state, answer: [state] }])),
    gone: { isGone: true, answer: ['gone'] }
  })
  t.strictSame(await peers.askAll(QUESTION), { answers: [['up'], ['unfit'], ['draining']], missing: 0 })
  t.strictSame(
    asked,
    topicsOf('up', 'unfit', 'draining').map((topic) => [topic, 1_000])
  )
  await peers.askAll(QUESTION, 5)
  t.equal(asked.at(-1)?.[1], 5)
  t.strictSame(logged, [])
})

t.test('a node that does not answer, or says what is no answer, is counted and told of in the log', async (t) => {
  const { peers, logged } = createRig({ a: { answer: ['s'] }, b: { answer: new Error('away') }, c: { answer: { rubbish: true } } })
  t.strictSame(await peers.askAll(QUESTION), { answers: [['s']], missing: 2 })
  t.strictSame(logged, [{ question: 'actors.active', missing: 2 }])
})
