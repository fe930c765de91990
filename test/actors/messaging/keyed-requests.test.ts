/** A request that its client repeats under a key happens once, also on a node that logs no other requests. */
import t from 'tap'
import type { Address } from '../../../src/domain/address.js'
import { isDomainError } from '../../../src/domain/errors.js'
import { keyedRequestId } from '../../../src/domain/request-keys.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import type { ListCommand, ListReply } from '../../support/list-behaviour.js'
import { codeOf, type RuntimeOptions, startRuntime } from '../../support/runtime.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const append = (word: string) => ({ type: 'list.append', word }) as const

async function start(options: RuntimeOptions = {}) {
  const runtime = await startRuntime({ storage: createMemoryStorage({ retains: true }), ...options })
  const ask = (command: ListCommand, requestId?: string) =>
    runtime.askActor(ADDRESS, command, { deadlineMs: 10_000, ...(requestId !== undefined && { requestId }) }) as Promise<ListReply>
  const keyed = (key: string, command: ListCommand) => ask(command, keyedRequestId({ subject: 'tester', sessionId: 'a', key }, command))
  const read = async () => (await ask({ type: 'list.read' })).words
  return { ...runtime, ask, keyed, read }
}

t.test('a node alone answers a repeated key as before, and so does the next one', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const { keyed } = await start({ storage })
  t.same(await keyed('k1', append('one')), { words: ['one'] })
  t.same(await keyed('k2', append('two')), { words: ['one', 'two'] })
  t.same(await keyed('k1', append('one')), { words: ['one'] })
  const next = await start({ storage })
  t.same(await next.keyed('k1', append('one')), { words: ['one'] })
  t.same(await next.keyed('k2', append('two')), { words: ['one', 'two'] })
  t.same(await next.read(), ['one', 'two'])
})

t.test('both of two with one key at the same time get the answer of the one that was run', async (t) => {
  const { keyed, read } = await start()
  t.same(await Promise.all([keyed('k', append('one')), keyed('k', append('one'))]), [{ words: ['one'] }, { words: ['one'] }])
  t.same(await read(), ['one'])
})

t.test('something else with the key of before is refused by the name of the field', async (t) => {
  const { keyed, read } = await start()
  await keyed('k', append('one'))
  const refused: unknown = await keyed('k', append('other')).catch((error: unknown) => error)
  t.ok(isDomainError(refused))
  t.match(refused, { code: 'invalid_input', loc: ['idempotency_key'] })
  t.same(await keyed('k', append('one')), { words: ['one'] }, 'the first stays known')
  t.same(await read(), ['one'])
})

t.test('a key is known when 1,000 others came after it, without its answer when 64 did', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const { keyed } = await start({ storage })
  for (let n = 0; n < 1_025; n++) await keyed(`k${String(n)}`, append('x'))
  const check = async ({ keyed, read }: Pick<Awaited<ReturnType<typeof start>>, 'keyed' | 'read'>) => {
    t.equal(await codeOf(keyed('k1', append('x'))), 'answer_gone')
    t.equal(await codeOf(keyed('k960', append('x'))), 'answer_gone')
    t.same((await keyed('k961', append('x'))).words.length, 962)
    t.equal((await read()).length, 1_025)
  }
  await check(await start({ storage }))
  const next = await start({ storage })
  await check(next)
  t.same((await next.keyed('k0', append('x'))).words.length, 1_026, 'the 1,025th from the end is forgotten, and run')
  t.equal(await codeOf(next.keyed('k1', append('x'))), 'fulfilled', 'in its place the next one is')
  const rows = (await storage.activate(ADDRESS))?.rows.filter(({ collection }) => collection === 'request') ?? []
  t.equal(rows.length, 64 + 1_024)
})

t.test('a keyed request that found nothing to do is not done later', async (t) => {
  const { ask, keyed, read } = await start()
  await ask({ type: 'list.create' })
  t.same(await keyed('k', { type: 'list.clear' }), { words: [] })
  await ask(append('one'))
  t.same(await keyed('k', { type: 'list.clear' }), { words: [] })
  t.same(await read(), ['one'])
})

t.test('a record that was removed is not made again by a key that it knew', async (t) => {
  const { ask, keyed, read } = await start()
  await keyed('k', append('one'))
  await ask({ type: 'list.delete' })
  t.equal(await codeOf(keyed('k', append('one'))), 'answer_gone')
  t.equal(await codeOf(read()), 'session_missing')
  await ask(append('anew'))
  t.equal(await codeOf(keyed('k', append('one'))), 'answer_gone')
  t.same(await read(), ['anew'])
})

t.test('a refusal is not kept: the same key again is a new try', async (t) => {
  const { ask, keyed } = await start()
  t.equal(await codeOf(keyed('k', { type: 'list.clear' })), 'session_missing')
  await ask(append('one'))
  t.same(await keyed('k', { type: 'list.clear' }), { words: [] })
})
