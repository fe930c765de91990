/** Ids that a client uses again for another session, while something about the one before is still under way. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
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
