/** What was deleted in a session and is still to be told to its clusters, when the session goes as well. */
import t from 'tap'
import { DomainError } from '../../../../src/domain/errors.js'
import { createMemoryStorage } from '../../../../src/storage/memory.js'
import { createManualClock } from '../../../support/manual-clock.js'
import { startService } from '../../../support/real-service.js'

/** Milliseconds in which an outbox message that failed a few times is tried again. */
const RETRIED_MS = 5_000

t.test('a session whose clusters have not heard yet what was deleted in it is not deleted before they have', async (t) => {
  const clock = createManualClock()
  const own = createMemoryStorage({ retains: true })
  let isFailing = false
  const commit: typeof own.commit = async (address, ...rest) => {
    if (isFailing && address.kind === 'session' && address.id === 'team') throw new DomainError('storage_unavailable', 'Gone for a while')
    return own.commit(address, ...rest)
  }
  const { as } = await startService(t, { overrides: { clock, storage: { ...own, commit } } })
  const alice = await as('alice')
  await alice.post('/v1/cluster/', { cluster_id: 'team' })
  await alice.post('/v1/session/create', { session_id: 'a' })
  await alice.post('/v1/cluster/team/members', { session_id: 'a' })
  const { body } = await alice.post('/v1/store', { session_id: 'a', response: 'The safe opens with 4711.' })
  const shared = async () => (await alice.get('/v1/session/team/memories')).body['memories'] as readonly object[]
  t.equal((await shared()).length, 1)
  isFailing = true
  const forgotten = alice.delete(`/v1/session/a/memories/${String(body['memory_hash'])}`)
  await clock.advance(RETRIED_MS)
  t.equal((await forgotten).status, 200)
  const early = alice.delete('/v1/session/a')
  await clock.advance(RETRIED_MS)
  t.equal((await early).status, 503)
  isFailing = false
  await clock.advance(10 * RETRIED_MS)
  t.equal((await alice.delete('/v1/session/a')).status, 200)
  t.strictSame(await shared(), [])
})

t.test('a session is deleted at once where its clusters have heard all, though it has not noted that yet', async (t) => {
  const clock = createManualClock()
  const { as } = await startService(t, { overrides: { clock, storage: createMemoryStorage({ retains: true }) } })
  const alice = await as('alice')
  await alice.post('/v1/cluster/', { cluster_id: 'team' })
  await alice.post('/v1/session/create', { session_id: 'a' })
  await alice.post('/v1/cluster/team/members', { session_id: 'a' })
  const { body } = await alice.post('/v1/store', { session_id: 'a', response: 'The safe opens with 4711.' })
  await alice.delete(`/v1/session/a/memories/${String(body['memory_hash'])}`)
  t.equal((await alice.delete('/v1/session/a')).status, 200)
})
