/** Joins in a whole service: what both sides hold of them in the end. */
import t, { type Test } from 'tap'
import type { ActorKind } from '../../../src/domain/address.js'
import { DomainError } from '../../../src/domain/errors.js'
import type { ActorStorage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { type Caller, startService } from '../../support/real-service.js'
import { until } from '../../support/until.js'

interface Started {
  readonly storage: ActorStorage
  readonly alice: Caller
  /** Kind of the actors whose commits fail; null for none. */
  failing: ActorKind | null
  /** Rows that were removed, as their collections. */
  readonly removed: string[]
}

async function start(t: Test): Promise<Started> {
  const storage = createMemoryStorage({ retains: true })
  const commit: ActorStorage['commit'] = async (address, token, changes) => {
    if (started.failing === address.kind) throw new DomainError('storage_unavailable', 'The storage does not answer')
    const committed = await storage.commit(address, token, changes)
    started.removed.push(...changes.remove.map(({ collection }) => collection))
    return committed
  }
  const { as } = await startService(t, { overrides: { storage: { ...storage, commit } } })
  const started: Started = { storage, alice: await as('alice'), failing: null, removed: [] }
  return started
}

const made = async (caller: Caller, kind: 'cluster' | 'region') => String((await caller.post(`/v1/${kind}/`, {})).body[`${kind}_id`])

t.test('a cluster whose attachment was cut short after it had joined does not keep the region', async (t) => {
  const started = await start(t)
  const { alice, removed } = started
  const [cluster, region] = [await made(alice, 'cluster'), await made(alice, 'region')]
  started.failing = 'region'
  t.equal((await alice.post(`/v1/region/${region}/clusters`, { cluster_id: cluster })).status, 503)
  started.failing = null
  t.equal((await alice.delete(`/v1/region/${region}`)).status, 200)
  await until(() => removed.includes('region'))
  t.pass()
})

t.test('a session that is added to a cluster and removed at once is either in both or in neither', async (t) => {
  const { alice, storage } = await start(t)
  const cluster = await made(alice, 'cluster')
  const members = `/v1/cluster/${cluster}/members`
  const ids = Array.from({ length: 60 }, (_, n) => `s${String(n)}`)
  for (const id of ids) {
    await alice.post('/v1/session/create', { session_id: id })
    await alice.post(members, { session_id: id })
  }
  for (const [n, session_id] of ids.entries()) {
    const calls = [() => alice.delete(`${members}/${session_id}`), () => alice.post(members, { session_id, weight: 2 })]
    await Promise.all((n % 2 === 0 ? calls : calls.reverse()).map((call) => call()))
  }
  const halves = async () => {
    const { body } = await alice.get(`/v1/cluster/${cluster}`)
    const there = new Set(body['members'] as string[])
    const isHalf = async (id: string) => {
      const stored = await storage.peek({ kind: 'session', subject: 'alice', id })
      const { memberships } = (stored?.head as { readonly ties: { readonly memberships: readonly unknown[] } }).ties
      return memberships.length > 0 !== there.has(id)
    }
    return (await Promise.all(ids.map(isHalf))).filter(Boolean).length
  }
  await until(async () => (await halves()) === 0)
  t.pass()
})
