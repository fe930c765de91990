/**
 * What becomes of a request whose first try may have been carried out: when its record is gone, and when the first try arrives after the
 * retry.
 */
import t from 'tap'
import type { AskAnswer } from '../../../actors/asking/envelope.js'
import type { Address } from '../../../src/domain/address.js'
import { RETRIED_S } from '../../../src/domain/limits.js'
import { keyedRequestId } from '../../../src/domain/request-keys.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import type { ListCommand, ListReply } from '../../support/list-behaviour.js'
import { codeOf, type RuntimeOptions, startRuntime } from '../../support/runtime.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const append = (word: string) => ({ type: 'list.append', word }) as const

async function start(options: RuntimeOptions = {}) {
  const runtime = await startRuntime({ isShared: true, ...options })
  const request = (requestId: string, command: ListCommand) =>
    runtime.askActor(ADDRESS, command, { deadlineMs: 10_000, requestId }) as Promise<ListReply>
  /** Sends the retry of a request whose first try may have been carried out. */
  const tried = async (requestId: string, command: ListCommand, triedMs = 500): Promise<string> => {
    const envelope = { address: ADDRESS, command, requestId, deadlineMs: 1_000, triedMs, isInner: false }
    const answer = (await runtime.bus.request('actors.session', envelope, { deadlineMs: 1_000 })) as AskAnswer
    return 'refusal' in answer ? answer.refusal.code : 'fulfilled'
  }
  let reads = 0
  const read = async () => (await request(`read-${String(reads++)}`, { type: 'list.read' })).words
  return { ...runtime, request, tried, read }
}

t.test('a request that was removed along with its record is not run on the next one', async (t) => {
  for (const isMadeAnew of [true, false]) {
    const { request, tried, read } = await start({ storage: createMemoryStorage({ retains: true }), isShared: true })
    await request('r1', append('one'))
    await request('gone', { type: 'list.delete' })
    if (isMadeAnew) await request('r2', append('two'))
    t.equal(await tried('gone', { type: 'list.delete' }), 'outcome_unknown', 'its words are not told any more')
    t.equal(await codeOf(request('gone', { type: 'list.delete' })), 'outcome_unknown', 'nor by its first try that comes late')
    t.equal(await codeOf(request('r1', append('one'))), 'outcome_unknown')
    t.equal(await tried('other', { type: 'list.read' }), isMadeAnew ? 'fulfilled' : 'session_missing', 'what cannot have happened has not')
    if (isMadeAnew) t.same(await read(), ['two'])
  }
})

t.test('a request that may have left the log of a removed record is unknown where it was removed and where it is made anew', async (t) => {
  const { request, tried, read } = await start({ storage: createMemoryStorage({ retains: true }), isShared: true })
  for (let n = 0; n < 66; n++) await request(`r${String(n)}`, append(`w${String(n)}`))
  await request('gone', { type: 'list.delete' })
  t.equal(await tried('r0', append('w0')), 'outcome_unknown')
  await request('new', append('new'))
  t.equal(await tried('r0', append('w0')), 'outcome_unknown')
  t.same(await read(), ['new'])
})

t.test('a retry is unknown when its first try came before all that the log still holds, and is run when it came later', async (t) => {
  const { request, tried, clock } = await start()
  for (let n = 0; n < 66; n++) await request(`r${String(n)}`, append('x'))
  await clock.advance(30_000)
  t.equal(await tried('before', append('y'), 40_000), 'outcome_unknown')
  t.equal(await tried('later', append('y'), 100), 'fulfilled')
})

t.test('a request that made a record that was removed does not make it again', async (t) => {
  const { request, read } = await start({ storage: createMemoryStorage({ retains: true }), isShared: true })
  await request('maker', { type: 'list.create' })
  await request('gone', { type: 'list.delete' })
  t.equal(await codeOf(request('maker', { type: 'list.create' })), 'outcome_unknown')
  t.equal(await codeOf(read()), 'session_missing')
})

t.test('a request with a key that made a record is answered again once that is removed, and does not make it again', async (t) => {
  const { request, read } = await start({ isShared: false, isTelling: false, storage: createMemoryStorage({ retains: true }) })
  const maker = keyedRequestId({ subject: 'tester', key: 'k', sessionId: 'a' }, append('one'))
  await request(maker, append('one'))
  await request('gone', { type: 'list.delete' })
  t.same(await request(maker, append('one')), {})
  t.equal(await codeOf(read()), 'session_missing')
})

t.test('a request that was run as a retry is known for as long as its first try may come, however much happens', async (t) => {
  const { request, tried, read, clock } = await start()
  await request('r0', append('zero'))
  t.equal(await tried('r1', append('one')), 'fulfilled')
  for (let n = 0; n < 70; n++) await request(`x${String(n)}`, { type: 'list.append', word: 'x' })
  t.equal(await codeOf(request('r1', append('one'))), 'outcome_unknown')
  t.equal((await read()).filter((word) => word === 'one').length, 1)
  await clock.advance((RETRIED_S + 1) * 1_000)
  t.equal(await tried('r2', append('two')), 'fulfilled', 'its place is free again')
})

t.test('a retry that found nothing to do is known when its first try comes, and there is something', async (t) => {
  const { request, tried, read } = await start()
  await request('r0', { type: 'list.create' })
  t.equal(await tried('clear', { type: 'list.clear' }), 'fulfilled')
  for (let n = 0; n < 70; n++) await request(`x${String(n)}`, append('x'))
  t.equal(await codeOf(request('clear', { type: 'list.clear' })), 'outcome_unknown')
  t.equal((await read()).length, 70)
})

t.test('more retries than can be remembered are refused and not run', async (t) => {
  const { request, tried, read, clock } = await start()
  await request('r', append('first'))
  for (let n = 0; n < 256; n++) {
    t.equal(await tried(`r${String(n)}`, append('retried'), 100), 'fulfilled')
    // Slow enough that the log of the last 64 requests shows that it has dropped none of these.
    await clock.advance(200)
  }
  t.equal(await tried('more', append('more'), 100), 'outcome_unknown')
  t.equal((await read()).length, 257)
})

t.test('a retry of what is not there is unknown to nodes that keep no log', async (t) => {
  const { tried } = await start({ isShared: false })
  t.equal(await tried('r1', { type: 'list.delete' }), 'outcome_unknown')
})
