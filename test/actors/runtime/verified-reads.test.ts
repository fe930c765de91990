/** Two owners of one address on one storage: each read returns what the record was at some moment of the call. */
import fc from 'fast-check'
import t from 'tap'
import { DomainError, isDomainError } from '../../../src/domain/errors.js'
import type { ActorStorage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, type RuntimeOptions, startRuntime } from '../../support/runtime.js'

const ADDRESS = { kind: 'session', subject: 'tester', id: 'a' } as const
const READ = { type: 'list.read' } as const
const append = (word: string) => ({ type: 'list.append', word }) as const

type Options = Pick<RuntimeOptions, 'storage' | 'isShared' | 'prepare'>

async function start({ prepare, ...options }: Options = {}) {
  const storage = gated(options.storage ?? createMemoryStorage({ retains: true }))
  const owners = { isShared: options.isShared ?? true, ...(prepare !== undefined && { prepare }) }
  const [one, two] = await Promise.all([startRuntime({ ...owners, storage }), startRuntime({ ...owners, storage })])
  await one.ask('a', append('first'))
  return { storage, one, two }
}

t.test('a read of an owner that was overtaken is refused rather than stale, and the next one reads anew', async (t) => {
  const { one, two } = await start()
  await two.ask('a', append('second'))
  t.equal(await codeOf(one.ask('a', READ)), 'fenced')
  t.equal(one.calls.fenced, 1)
  t.same(await one.ask('a', READ), { words: ['first', 'second'] })
  t.equal(await codeOf(two.ask('a', { type: 'list.refuse' })), 'fenced', 'a refusal may rest on what was overtaken too')
  t.equal(await codeOf(two.ask('a', { type: 'list.refuse' })), 'invalid_input')
})

t.test('what an owner that was overtaken cannot even prepare is refused as overtaken, and not for what it found', async (t) => {
  const prepare = async ({ type }: { readonly type: string }) => {
    if (type === 'list.read') throw new DomainError('member_missing', 'Member not found')
  }
  const { one, two } = await start({ prepare })
  t.equal(await codeOf(one.ask('a', READ)), 'member_missing')
  await two.ask('a', append('second'))
  t.equal(await codeOf(one.ask('a', READ)), 'fenced')
  t.equal(await codeOf(one.ask('a', READ)), 'member_missing')
})

t.test('a read of an owner that was overtaken is stale where reads are not verified', async (t) => {
  const { one, two, storage } = await start({ isShared: false })
  await two.ask('a', append('second'))
  t.same(await one.ask('a', READ), { words: ['first'] })
  t.equal(storage.counts.verify, 0)
  t.equal(await codeOf(one.ask('a', append('third'))), 'fenced')
  t.equal(one.calls.fenced, 1)
})

t.test('a removal by an owner that was overtaken is refused and counted', async (t) => {
  const { one, two } = await start()
  await two.ask('a', append('second'))
  t.equal(await codeOf(one.ask('a', { type: 'list.delete' })), 'fenced')
  t.equal(one.calls.fenced, 1)
  t.same(await two.ask('a', READ).catch(() => two.ask('a', READ)), { words: ['first', 'second'] })
})

t.test('reads that come while one is verified share the next question', async (t) => {
  const { one, storage } = await start()
  storage.hold('verify')
  const reads = [one.ask('a', READ), one.ask('a', READ), one.ask('a', READ)]
  await settled()
  t.equal(storage.counts.verify, 1)
  storage.open('verify')
  await Promise.all(reads)
  t.equal(storage.counts.verify, 2)
  t.equal(storage.most.verify, 1)
})

t.test('a read beside a write that has not begun needs no question of its own', async (t) => {
  const { one, storage } = await start()
  storage.hold('verify')
  const first = one.ask('a', READ)
  await settled()
  const [read, write] = [one.ask('a', READ), one.ask('a', append('second'))]
  await settled()
  storage.open('verify')
  t.same(await Promise.all([first, read, write]), [{ words: ['first'] }, { words: ['first'] }, { words: ['first', 'second'] }])
  t.equal(storage.counts.verify, 1)
})

t.test('a storage that does not answer ends the actor and its readers are told', async (t) => {
  const { one, storage } = await start()
  storage.hold('verify')
  const read = codeOf(one.ask('a', READ, 60_000))
  await one.clock.advance(5_000)
  t.equal(await read, 'storage_unavailable')
  storage.open('verify')
  t.same(await one.ask('a', READ), { words: ['first'] })
  t.equal(one.calls.fenced, 0)
})

/** Storage whose calls take effect, and are answered, when the test says so. */
function stepwise(storage: ActorStorage) {
  const waiting: (() => void)[] = []
  const turn = () => new Promise<void>((resolve) => void waiting.push(resolve))
  const slow =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await turn()
      const outcome = await call(...args).then(
        (result) => () => result,
        (error: unknown) => () => {
          throw error
        }
      )
      await turn()
      return outcome()
    }
  const { activate, commit, verify, create } = storage
  return { waiting, storage: { ...storage, activate: slow(activate), commit: slow(commit), verify: slow(verify), create: slow(create) } }
}

t.test('a read that comes while a commit is being answered does not take that answer for its own', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  await memory.create(ADDRESS, { head: null, put: [], remove: [] })
  const { storage, waiting } = stepwise(memory)
  const [one, two] = await Promise.all([startRuntime({ storage, isShared: true }), startRuntime({ storage, isShared: true })])
  /** Advances the newest call by steps: its effect, then its answer. */
  const go = async (times: number) => {
    await settled()
    for (let n = 0; n < times; n++) {
      waiting.pop()?.()
      await settled()
    }
  }
  const first = one.ask('a', append('first'))
  await go(3)
  const second = two.ask('a', append('second'))
  await go(4)
  t.same(await second, { words: ['first', 'second'] })
  const read = codeOf(one.ask('a', READ))
  await go(3)
  t.same(await first, { words: ['first'] }, 'its commit had happened before')
  t.equal(await read, 'fenced')
})

interface Operation {
  readonly word: string | null
  readonly from: number
  to: number
  /** Null if it was refused. */
  words: readonly string[] | null
  code: string | null
}

const isPrefix = (of: readonly string[], whole: readonly string[]) =>
  of.length <= whole.length && of.every((word, at) => whole[at] === word)

/** Violation in the history of an append-only list; null if the operations can have happened one at a time. */
function faultOf(history: readonly Operation[], stored: readonly string[]): string | null {
  for (const a of history) {
    if (a.words === null) {
      if (a.word !== null && a.code === 'fenced' && stored.includes(a.word)) return 'a refused append was stored'
      continue
    }
    if (!isPrefix(a.words, stored)) return 'something was shown, or acknowledged, that is not stored'
    if (a.word !== null && a.words.at(-1) !== a.word) return 'an append is not the last word of its own reply'
    for (const b of history) {
      if (b.words !== null && a.to < b.from && b.words.length < a.words.length + (b.word === null ? 0 : 1))
        return 'a later call saw less than an earlier one'
    }
  }
  return null
}

const plan = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ owner: fc.nat(1), isRead: fc.boolean() }) },
    { weight: 5, arbitrary: fc.record({ pick: fc.nat(7) }) }
  ),
  { minLength: 10, maxLength: 60 }
)

async function drive(
  steps: typeof plan extends fc.Arbitrary<infer Steps> ? Steps : never,
  own: Partial<ActorStorage> = {}
): Promise<string | null> {
  const memory = createMemoryStorage({ retains: true })
  await memory.create(ADDRESS, { head: null, put: [], remove: [] })
  const { storage, waiting } = stepwise({ ...memory, ...own })
  const owners = await Promise.all([startRuntime({ storage, isShared: true }), startRuntime({ storage, isShared: true })])
  const history: Operation[] = []
  let time = 0
  const call = (owner: number, word: string | null) => {
    const operation: Operation = { word, from: time, to: Infinity, words: null, code: null }
    history.push(operation)
    owners[owner]!.ask('a', word === null ? READ : append(word)).then(
      ({ words }) => Object.assign(operation, { words, to: time }),
      (error: unknown) => Object.assign(operation, { code: isDomainError(error) ? error.code : String(error), to: time })
    )
  }
  for (const step of steps) {
    time += 1
    if ('pick' in step) waiting.splice(step.pick % Math.max(1, waiting.length), 1)[0]?.()
    else call(step.owner, step.isRead ? null : `w${String(time)}`)
    await settled()
  }
  while (waiting.length > 0) {
    time += 1
    waiting.shift()?.()
    await settled()
  }
  if (history.some(({ to }) => to === Infinity)) return 'a call was never answered'
  const rows = (await memory.activate(ADDRESS))?.rows.filter(({ collection }) => collection === 'words') ?? []
  return faultOf(
    history,
    [...rows].sort((a, b) => Number(a.id) - Number(b.id)).map(({ body }) => String(body))
  )
}

t.test('two owners whose storage is as slow as it likes give only replies that a single list could have given', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (steps) => {
      const fault = await drive(steps)
      if (fault !== null) throw new Error(fault)
    }),
    { numRuns: 200 }
  )
})

t.test('a storage that confirms every owner is found out by the very same calls', async (t) => {
  const lenient = fc.asyncProperty(plan, async (steps) => (await drive(steps, { verify: async () => true })) === null)
  t.ok((await fc.check(lenient, { numRuns: 200, endOnFailure: true })).failed)
})
