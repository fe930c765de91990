/** How long replies are kept, step by step: until they are too old, too large, or may contain what was erased. */
import t from 'tap'
import type { Behaviour } from '../../../actors/behaviour/behaviour.js'
import type { Address } from '../../../src/domain/address.js'
import { DomainError } from '../../../src/domain/errors.js'
import { atOnce } from '../../../src/domain/pieces.js'
import type { RecordChanges } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { codeOf } from '../../support/runtime.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }

/** Commands of an actor that repeats what it is told and forgets on request. */
type Told =
  | { readonly type: 'say' | 'quote' | 'count' | 'clear'; readonly text: string }
  | { readonly type: 'forget' }
  | { readonly type: 'forgetOthers' }
  | { readonly type: 'replace' }
  | { readonly type: 'move' }

function createTold(): Behaviour<{ steps: number }, Told, null, unknown> {
  return {
    kind: 'session',
    restore: () => atOnce(() => ({ steps: 0 })),
    initiate: async () => ({ state: { steps: 0 }, changes: { head: { last: 'made' }, put: [], remove: [] } }),
    missing: () => new DomainError('session_missing', 'None'),
    prepare: async () => null,
    *step(state, command) {
      state.steps += 1
      if (command.type === 'forget') return { reply: { found: 0 }, changes: null, erases: 'replies' }
      if (command.type === 'forgetOthers') return { reply: { found: 0 }, changes: null, erases: 'foreign replies' }
      const changes: RecordChanges = { head: { last: command.type }, put: [], remove: [], ...(command.type === 'clear' && { clear: true }) }
      if (command.type === 'replace') return { reply: {}, changes, erases: 'replies' }
      if (command.type === 'move') return { reply: {}, changes: { ...changes, remove: [{ collection: 'said', id: '1' }] } }
      return { reply: command.type === 'count' ? { count: state.steps } : { text: command.text }, changes, isOwn: command.type === 'say' }
    }
  }
}

/** Creates a record in a storage, with a function that runs single steps of its behaviour. */
async function tell(isShared = true, storage = createMemoryStorage({ retains: true })) {
  const told = hosted(hostOf(createTold(), { isShared }))
  const meta = { address: ADDRESS, now: 1_000, requestId: 'r0' }
  const first = (await storage.peek(ADDRESS)) !== null ? null : await told.initiate({ type: 'forget' }, meta)
  if (first !== null) await storage.create(ADDRESS, first.changes)
  const record = await storage.activate(ADDRESS)
  if (record === null) throw new Error('There is none')
  const life = told.restore(ADDRESS, record)
  let { token } = record
  const puts: number[] = []
  return {
    storage,
    /** Rows written by each commit. */
    puts,
    async step(
      requestId: string,
      command: Told,
      more: { readonly now?: number; readonly triedMs?: number; readonly isRepeated?: boolean } = {}
    ): Promise<unknown> {
      const { reply, changes } = await told.run(life, command, { now: meta.now, requestId, ...more })
      if (changes === null) return reply
      puts.push(changes.put.length)
      token = await storage.commit(ADDRESS, token, changes)
      return reply
    },
    async rows() {
      const held = await storage.activate(ADDRESS)
      token = held?.token ?? token
      return JSON.stringify(held)
    }
  }
}

t.test('an outbox message whose answer is no longer kept counts as done, and is not told for ever', async (t) => {
  const { step, puts } = await tell()
  const say = { type: 'say', text: 'Wintermute' } as const
  await step('message', say)
  await step('erasure', { type: 'forget' })
  const before = puts.length
  for (const tried of [{}, { triedMs: 5_000 }]) t.equal(await step('message', say, { isRepeated: true, ...tried }), null)
  t.equal(puts.length, before, 'it is not done again')
  t.equal(await codeOf(step('message', say, { triedMs: 5_000 })), 'outcome_unknown', 'others wait for the answer')
})

t.test('an erasure takes the replies of before along that hold more than numbers, and no request runs twice for it', async (t) => {
  for (const type of ['forget', 'replace', 'clear'] as const) {
    const { step, rows, storage, puts } = await tell()
    await step('r1', { type: 'say', text: 'Wintermute' })
    await step('r2', { type: 'count', text: '' })
    t.same(puts, [1, 1], 'each its own row')
    t.match(await rows(), 'Wintermute')
    await step('r3', type === 'clear' ? { type, text: 'nothing' } : { type })
    t.notMatch(await rows(), 'Wintermute')
    t.equal(await codeOf(step('r1', { type: 'say', text: 'Wintermute' })), 'outcome_unknown')
    t.same(await step('r2', { type: 'count', text: '' }), { count: 2 }, 'an outbox message is answered')
    t.notMatch(await rows(), 'Wintermute')
    const next = await tell(true, storage)
    t.equal(await codeOf(next.step('r1', { type: 'say', text: 'Wintermute' })), 'outcome_unknown')
    t.same(await next.step('r2', { type: 'count', text: '' }), { count: 2 }, 'by the next owner as well')
  }
})

t.test('a row that goes for another reason takes no reply along', async (t) => {
  const { step, storage } = await tell()
  await step('r1', { type: 'say', text: 'Wintermute' })
  await step('r2', { type: 'move' })
  t.same(await step('r1', { type: 'say', text: 'Wintermute' }), { text: 'Wintermute' })
  const next = await tell(true, storage)
  t.same(await next.step('r1', { type: 'say', text: 'Wintermute' }), { text: 'Wintermute' }, 'of the next owner as well')
})

t.test('an erasure of what only others knew takes the replies along that are not known to be its own', async (t) => {
  const { step, rows, storage } = await tell()
  await step('r1', { type: 'say', text: 'Neuromancer' })
  await step('r2', { type: 'quote', text: 'Wintermute' })
  await (await tell(true, storage)).step('r3', { type: 'forgetOthers' })
  t.notMatch(await rows(), 'Wintermute')
  const next = await tell(true, storage)
  t.same(await next.step('r1', { type: 'say', text: 'Neuromancer' }), { text: 'Neuromancer' })
  t.equal(await codeOf(next.step('r2', { type: 'quote', text: 'Wintermute' })), 'outcome_unknown')
})

t.test('an erasure that finds nothing but replies leaves the head as it was', async (t) => {
  const { step, storage } = await tell()
  await step('r1', { type: 'say', text: 'Wintermute' })
  await step('r2', { type: 'forget' })
  t.match((await storage.peek(ADDRESS))?.head, { last: 'say' })
})

t.test('an erasure that finds no replies any more writes nothing', async (t) => {
  const { step, puts } = await tell(false)
  await step('key:r1', { type: 'say', text: 'Wintermute' })
  await step('r2', { type: 'forget' })
  const before = [...puts]
  await step('r3', { type: 'forget' })
  t.same(puts, before)
})

t.test('earlier replies of a node that is alone by now go with an erasure too', async (t) => {
  const { step, storage } = await tell()
  await step('r1', { type: 'say', text: 'Wintermute' })
  const alone = await tell(false, storage)
  await alone.step('r2', { type: 'forget' })
  t.notMatch(await alone.rows(), 'Wintermute')
})

t.test('replies that have left memory go from storage with an erasure', async (t) => {
  const { step, rows } = await tell()
  for (let n = 0; n < 10; n++) await step(`r${String(n)}`, { type: 'say', text: 'Wintermute' })
  await step('late', { type: 'say', text: 'Nothing' }, { now: 1_000 + 121 })
  t.equal(await codeOf(step('r1', { type: 'say', text: 'Wintermute' })), 'outcome_unknown', 'too late to be answered, and not run again')
  t.same(await step('r9', { type: 'say', text: 'Wintermute' }), { text: 'Wintermute' }, 'the last ones stay, whatever a clock says')
  t.match(await rows(), 'Wintermute')
  await step('gone', { type: 'forget' }, { now: 1_000 + 121 })
  t.notMatch(await rows(), 'Wintermute')
})

t.test('a reply that is too long to keep is not made twice', async (t) => {
  const { step, rows } = await tell()
  const text = 'a'.repeat(300_000)
  await step('r1', { type: 'say', text })
  t.ok((await rows()).length < 1_000)
  t.equal(await codeOf(step('r1', { type: 'say', text })), 'outcome_unknown')
})

t.test('a request that may have left the log is not run again, and one that cannot have is', async (t) => {
  const { step } = await tell()
  for (let n = 0; n < 70; n++) await step(`r${String(n)}`, { type: 'count', text: '' }, { now: 1_000 + n })
  const late = (requestId: string, triedMs: number) => codeOf(step(requestId, { type: 'count', text: '' }, { now: 1_070, triedMs }))
  t.equal(await late('r0', 70_000), 'outcome_unknown')
  t.equal(await late('r69', 2_000), 'fulfilled', 'it is known')
  t.equal(await late('new', 50_000), 'fulfilled', 'the oldest that is known is older by more than clocks differ')
})
