/** A request that is repeated because its answer was lost does not happen twice. */
import fc from 'fast-check'
import t from 'tap'
import type { Address } from '../../../src/domain/address.js'
import { DomainError } from '../../../src/domain/errors.js'
import type { ActorStorage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import type { ListCommand, ListReply } from '../../support/list-behaviour.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, type Runtime, type RuntimeOptions, startRuntime } from '../../support/runtime.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const append = (word: string) => ({ type: 'list.append', word }) as const

async function start(options: RuntimeOptions = {}) {
  const runtime = await startRuntime({ isShared: true, ...options })
  return { ...runtime, request: requestTo(runtime) }
}

function requestTo({ askActor }: Pick<Runtime, 'askActor'>) {
  return (requestId: string, command: ListCommand) => askActor(ADDRESS, command, { deadlineMs: 10_000, requestId }) as Promise<ListReply>
}

t.test('a repeated request gets the answer of the first, here and from the next owner', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const { request } = await start({ storage })
  t.same(await request('r1', append('one')), { words: ['one'] })
  t.same(await request('r2', append('two')), { words: ['one', 'two'] })
  t.same(await request('r1', append('one')), { words: ['one'] })
  const next = await start({ storage })
  t.same(await next.request('r1', append('one')), { words: ['one'] })
  t.same(await next.request('r3', append('three')), { words: ['one', 'two', 'three'] })
})

t.test('a repeated request that may have left the log is refused by its owner', async (t) => {
  const { request, askActor, bus } = await start()
  for (let n = 0; n < 66; n++) await request(`r${String(n)}`, append(`w${String(n)}`))
  const repeat = (requestId: string) =>
    bus.request(
      'actors.session',
      { address: ADDRESS, command: append('again'), requestId, deadlineMs: 1_000, triedMs: 500, isInner: false },
      { deadlineMs: 1_000 }
    )
  t.match(await repeat('r0'), { refusal: { code: 'outcome_unknown' } })
  t.match(await repeat('r65'), { reply: { words: { length: 66 } } })
  t.same(((await askActor(ADDRESS, { type: 'list.read' }, { deadlineMs: 1_000 })) as ListReply).words.length, 66)
})

t.test('one request with two commands is answered twice', async (t) => {
  const { request } = await start()
  await request('r1', { type: 'list.create' })
  t.same(await request('r1', append('one')), { words: ['one'] })
  t.same(await request('r1', { type: 'list.read' }), { words: ['one'] })
})

t.test('a request that is repeated while its commit is under way waits for it too', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const { request } = await start({ storage })
  await request('r0', append('zero'))
  storage.hold('commit')
  let answered = 0
  const both = [request('r1', append('one')), request('r1', append('one'))].map((asked) => asked.finally(() => (answered += 1)))
  await settled()
  t.equal(answered, 0)
  storage.open('commit')
  t.same(await Promise.all(both), [{ words: ['zero', 'one'] }, { words: ['zero', 'one'] }])
})

t.test('a refused request is refused again for what it is', async (t) => {
  const { request } = await start()
  await request('r0', append('zero'))
  for (let n = 0; n < 2; n++) t.equal(await codeOf(request('r1', { type: 'list.refuse' })), 'invalid_input')
})

t.test('a request whose answer was lost when it had just made the record has made it', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  let isLost = true
  const create: ActorStorage['create'] = async (address, changes) => {
    const token = await memory.create(address, changes)
    if (isLost) throw new DomainError('storage_unavailable', 'Down')
    return token
  }
  const { request } = await start({ storage: { ...memory, create } })
  t.equal(await codeOf(request('r1', { type: 'list.create' })), 'storage_unavailable')
  isLost = false
  t.equal(await codeOf(request('r2', { type: 'list.create' })), 'already_exists')
  for (let n = 0; n < 2; n++) t.same(await request('r1', { type: 'list.create' }), { words: [] })
})

t.test('a repeated request is not prepared again, nor refused by what its first try did', async (t) => {
  let prepared = 0
  const { request } = await start({
    async prepare() {
      prepared += 1
      if (prepared > 1) throw new DomainError('in_use', 'Done already')
    }
  })
  await request('r1', append('one'))
  t.same(await request('r1', append('one')), { words: ['one'] })
  t.equal(prepared, 1)
})

t.test('the rows of the log are as many as it holds, and no part of what the behaviour sees', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const { request } = await start({ storage })
  for (let n = 0; n < 150; n++) await request(`r${String(n)}`, append(`w${String(n)}`))
  const rows = (await storage.activate(ADDRESS))?.rows ?? []
  t.equal(rows.filter(({ collection }) => collection === 'request').length, 64)
  const next = await start({ storage })
  const { words } = await next.request('r149', append('w149'))
  t.equal(words.length, 150)
  t.equal((await next.request('r86', append('w86'))).words.length, 87, 'the oldest that is known')
})

t.test('a node alone logs nothing', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const { request } = await start({ storage, isShared: false })
  await request('r1', append('one'))
  t.same(
    (await storage.activate(ADDRESS))?.rows.map(({ collection }) => collection),
    ['words']
  )
})

/** Fate of a commit: done, done with its answer lost, or failed. */
const fate = fc.constantFrom('done' as const, 'done' as const, 'lost' as const, 'failed' as const)
type Fate = typeof fate extends fc.Arbitrary<infer Value> ? Value : never

/** Sends words one after the other, each to either owner, retrying under the same id until answered. Returns the stored words. */
async function persist(
  fates: readonly Fate[],
  owners: readonly number[],
  isShared: boolean
): Promise<{ sent: string[]; stored: string[] }> {
  const memory = createMemoryStorage({ retains: true })
  let commits = 0
  const commit: ActorStorage['commit'] = async (...args) => {
    const fated = fates[commits++] ?? 'done'
    if (fated === 'failed') throw new DomainError('storage_unavailable', 'Down')
    const token = await memory.commit(...args)
    if (fated === 'lost') throw new DomainError('storage_unavailable', 'Down')
    return token
  }
  const storage = { ...memory, commit }
  const nodes = [await start({ storage, isShared }), await start({ storage, isShared })]
  const sent: string[] = []
  let tries = 0
  for (const [at] of fates.entries()) {
    sent.push(`w${String(at)}`)
    for (let code = ''; code !== 'fulfilled'; tries += 1) {
      const owner = nodes[owners[tries % owners.length]!]!
      code = await codeOf(owner.request(`r${String(at)}`, append(`w${String(at)}`)))
    }
  }
  const rows = (await memory.activate(ADDRESS))?.rows.filter(({ collection }) => collection === 'words') ?? []
  return { sent, stored: rows.sort((a, b) => Number(a.id) - Number(b.id)).map(({ body }) => String(body)) }
}

const faults = [fc.array(fate, { minLength: 1, maxLength: 20 }), fc.array(fc.nat(1), { minLength: 1, maxLength: 10 })] as const

t.test('requests that are repeated until they are answered happen once each whatever is lost', async (t) => {
  await fc.assert(
    fc.asyncProperty(...faults, async (fates, owners) => {
      const { sent, stored } = await persist(fates, owners, true)
      if (JSON.stringify(sent) !== JSON.stringify(stored)) throw new Error(`${String(sent)}: ${String(stored)}`)
    }),
    { numRuns: 100 }
  )
  const { sent, stored } = await persist(['lost', 'done'], [0], false)
  t.not(stored.length, sent.length, 'without the log one of them happens twice')
})
