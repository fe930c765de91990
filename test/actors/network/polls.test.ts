// Several votes of all sessions, proposed concurrently.
import t from 'tap'
import { takePoll } from '../../../actors/network/poll.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
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

t.test('ten thousand sessions can vote, and no more', async (t) => {
  const voters = async (count: number) => {
    let asked = 0
    const list = async ({ after = '', limit }: { readonly after?: string; readonly limit: number }) =>
      Array.from({ length: Math.min(limit, count - Number(after)) }, (_, at) => String(Number(after) + at + 1))
    const ask = async ({ id }: { readonly id: string }) => {
      if (id === 'proposer') return { dimension: 1, modelName: 'm', state: null }
      asked += 1
      throw new TypeError('enough')
    }
    const address = { kind: 'network', subject: 'alice', id: 'network' } as const
    const signal = new AbortController().signal
    const asking = { storage: { list }, ask, clock: createManualClock(), address, signal } as unknown as Parameters<typeof takePoll>[0]
    const command = { type: 'network.consensus', proposerSessionId: 'proposer', targetEmbedding: [1] } as const
    const error = await takePoll(asking, command).catch((refused: unknown) => refused)
    return { error, asked }
  }
  t.match(await voters(10_001), { error: { code: 'limit_reached' }, asked: 0 })
  t.match(await voters(10_000), { error: { message: 'enough' } })
})
