/** Ids that a client uses again for another session, while something about the one before is still under way. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { DIMENSION_DEFAULT } from '../../../src/domain/limits.js'
import { lexicalVector } from '../../../src/domain/words/lexical-features.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
import { startService } from '../../support/real-service.js'

/** Milliseconds in which an outbox message that failed a few times is tried again. */
const RETRIED_MS = 5_000

t.test('a group that is deleted in several tries leaves the session that a client has made under the id of its own', async (t) => {
  const clock = createManualClock()
  const own = createMemoryStorage({ retains: true })
  let isFailing = true
  const remove: typeof own.remove = async (address, ...rest) => {
    if (isFailing && address.kind !== 'session') throw new DomainError('storage_unavailable', 'Gone for a while')
    return own.remove(address, ...rest)
  }
  const { as } = await startService(t, { overrides: { clock, storage: { ...own, remove } } })
  const alice = await as('alice')
  await alice.post('/v1/cluster/', { cluster_id: 'team' })
  const { body: region } = await alice.post('/v1/region/', {})
  const { body: observer } = await alice.post('/v1/observer/')
  const groups = [
    { kind: 'cluster', id: 'team', sessionId: 'team', url: '/v1/cluster/team' },
    { kind: 'region', id: region['region_id'], sessionId: region['meta_session_id'], url: `/v1/region/${String(region['region_id'])}` },
    { kind: 'observer', id: 'one', sessionId: observer['meta_session_id'], url: '/v1/observer/' }
  ] as const
  for (const { sessionId, url } of groups) {
    t.equal((await alice.delete(url)).status, 200)
    t.equal((await alice.post('/v1/session/create', { session_id: sessionId })).status, 200)
    await alice.post(`/v1/session/${String(sessionId)}/memory`, { text: 'Written after the group was deleted' })
  }
  isFailing = false
  await clock.advance(RETRIED_MS)
  for (const { kind, id, sessionId } of groups) {
    t.equal(await own.peek({ kind, subject: 'alice', id: String(id) }), null, `the ${kind} is gone`)
    t.match(await alice.get(`/v1/metrics/${String(sessionId)}`), { status: 200, body: { total_memories: 1 } })
  }
})

t.test('trust in a session that goes while a vote is counted is not that of the next one with its id', async (t) => {
  const clock = createManualClock()
  const own = createMemoryStorage({ retains: true })
  let whileCounted: (() => Promise<unknown>) | null = null
  const commit: typeof own.commit = async (address, ...rest) => {
    const act = address.kind === 'network' ? whileCounted : null
    whileCounted = null
    await act?.()
    return own.commit(address, ...rest)
  }
  const { as } = await startService(t, { overrides: { clock, storage: { ...own, commit } } })
  const alice = await as('alice')
  const target = [...lexicalVector('Prune the roses', DIMENSION_DEFAULT)]
  const vote = () => alice.post('/v1/network/consensus', { proposer_session_id: 'a', target_embedding: target })
  const make = (id: string) => alice.post('/v1/run', { session_id: id, message: 'Prune the roses' })
  for (const id of ['a', 'b']) await make(id)
  await alice.get('/v1/network/users/active')
  whileCounted = () => alice.delete('/v1/session/b')
  t.match(await vote(), { body: { accepted: true } })
  await clock.advance(1)
  await make('b')
  t.match(await alice.get('/v1/network/consensus/trust'), { body: { trust_scores: { a: 0.55, b: 0.5 } } })
  const { body } = await vote()
  t.match(body, {
    votes: [
      { session_id: 'a', weight: 0.55 },
      { session_id: 'b', weight: 0.5 }
    ]
  })
  t.match(body['trust_scores'], { b: 0.55 })
  t.match(await alice.get('/v1/network/consensus/trust'), { body: { trust_scores: { b: 0.55 } } })
})
