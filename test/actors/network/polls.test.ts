// Several votes of all sessions, proposed concurrently.
import t from 'tap'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { startService } from '../../support/real-service.js'
import { until } from '../../support/until.js'

t.test('every session is asked for one vote at a time, and each proposal is answered', async (t) => {
  const own = createMemoryStorage({ retains: true })
  const waiting: (() => void)[] = []
  let isHeld = false
  const list: typeof own.list = async (query) => {
    if (isHeld && query.kind === 'session') await new Promise<void>((resolve) => waiting.push(resolve))
    return own.list(query)
  }
  const { as } = await startService(t, { overrides: { storage: { ...own, list } } })
  const alice = await as('alice')
  await alice.post('/v1/session/create', { session_id: 's', dimension: 4 })
  await alice.get('/v1/network/users/active')
  isHeld = true
  const proposal = { proposer_session_id: 's', target_embedding: [1, 0, 0, 0] }
  const votes = Promise.all(Array.from({ length: 4 }, () => alice.post('/v1/network/consensus', proposal)))
  for (let vote = 0; vote < 4; vote++) {
    await until(() => waiting.length > vote)
    // A request that needs no vote is answered meanwhile.
    t.equal((await alice.get('/v1/network/users/active')).status, 200)
    t.equal(waiting.length, vote + 1)
    waiting[vote]?.()
  }
  t.strictSame(
    (await votes).map(({ status }) => status),
    [200, 200, 200, 200]
  )
})
