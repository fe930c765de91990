import t from 'tap'
import { isDomainError } from '../../../src/domain/errors.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'
import { unlimitedBudget } from '../../support/unlimited-budget.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

async function start() {
  const storage = gated(createMemoryStorage({ retains: true }))
  const runtime = await startRuntime({ storage })
  await runtime.ask('a', append('first'))
  const order: string[] = []
  const follow = (name: string, work: Promise<unknown>) => {
    work.then(
      () => order.push(name),
      (error: unknown) => order.push(`${name}: ${isDomainError(error) ? error.code : String(error)}`)
    )
    return settled()
  }
  return { ...runtime, storage, order, follow }
}

t.test('steps that run while a commit is under way share the next one', async (t) => {
  const { ask, storage, order, follow } = await start()
  const before = storage.counts.commit
  storage.hold('commit')
  await follow('one', ask('a', append('one')))
  for (const word of ['two', 'three', 'four']) await follow(word, ask('a', append(word)))
  t.same(order, [], 'nothing is acknowledged before it is durable')
  t.equal(storage.counts.commit - before, 1)
  storage.open('commit')
  await settled()
  t.same(order, ['one', 'two', 'three', 'four'])
  t.equal(storage.counts.commit - before, 2)
  const record = await storage.activate({ kind: 'session', subject: 'tester', id: 'a' })
  t.same(
    record?.rows.map(({ body }) => body),
    ['first', 'one', 'two', 'three', 'four']
  )
  t.match(record?.head, { length: 5 })
})

t.test('a read waits for the commit of what it saw and not for later ones', async (t) => {
  const { ask, storage, order, follow } = await start()
  storage.hold('commit')
  await follow('write', ask('a', append('one')))
  await follow('read of the write', ask('a', READ))
  t.same(order, [])
  storage.open('commit')
  storage.hold('commit')
  await settled()
  t.same(order, ['write', 'read of the write'])
  await follow('later write', ask('a', append('two')))
  t.same(order, ['write', 'read of the write'])
  storage.open('commit')
  await settled()
  t.same(order, ['write', 'read of the write', 'later write'])
})

t.test('a read of what is durable leaves at once', async (t) => {
  const { ask, storage } = await start()
  storage.hold('commit')
  t.same(await ask('a', READ), { words: ['first'] })
})

t.test('a refusal waits for the commit of what it may have seen', async (t) => {
  const { ask, storage, order, follow } = await start()
  storage.hold('commit')
  await follow('write', ask('a', append('one')))
  await follow('refused', ask('a', { type: 'list.refuse' }))
  t.same(order, [])
  storage.open('commit')
  await settled()
  t.same(order, ['write', 'refused: invalid_input'])
})

t.test('a commit that finds another writer acknowledges nothing: callers are told, and the memory is dropped', async (t) => {
  const { ask, storage, order, follow } = await start()
  storage.hold('commit')
  await follow('one', ask('a', append('one')))
  await follow('two', ask('a', append('two')))
  await follow('read', ask('a', READ))
  await storage.activate({ kind: 'session', subject: 'tester', id: 'a' })
  storage.open('commit')
  await settled()
  t.same([...order].sort(), ['one: fenced', 'read: fenced', 'two: fenced'])
  t.same(await ask('a', READ), { words: ['first'] })
})

t.test('a removal swallows what was gathered and later commands meet an absent actor', async (t) => {
  const { ask, storage, catalog, order, follow } = await start()
  const before = storage.counts.commit
  storage.hold('commit')
  await follow('one', ask('a', append('one')))
  await follow('two', ask('a', append('two')))
  await follow('delete', ask('a', { type: 'list.delete' }))
  await follow('read', ask('a', READ))
  await follow('append', ask('a', append('anew')))
  t.same(order, [])
  storage.open('commit')
  await settled()
  t.same(order, ['one', 'two', 'delete', 'read: session_missing', 'append'])
  t.equal(storage.counts.commit - before, 1, 'the one under way: the new actor creates its record')
  t.same(await ask('a', READ), { words: ['anew'] })
  t.equal(catalog.activeCount, 1)
})

t.test('a removal that is not durable is not acknowledged', async (t) => {
  const { ask, storage, order, follow } = await start()
  storage.hold('remove')
  await follow('delete', ask('a', { type: 'list.delete' }))
  t.same(order, [])
  await storage.activate({ kind: 'session', subject: 'tester', id: 'a' })
  storage.open('remove')
  await settled()
  t.same(order, ['delete: fenced'])
  t.same(await ask('a', READ), { words: ['first'] })
})

t.test('two catalogs on one storage take over from each other, and no acknowledged write is lost', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const one = await startRuntime({ storage })
  const two = await startRuntime({ storage })
  const acknowledged: string[] = []
  const codes = new Set<string>()
  for (let n = 0; n < 40; n++) {
    const words = [`left-${n}`, `right-${n}`]
    const [left, right] = await Promise.all([
      codeOf(one.ask('a', append(words[0] as string))),
      codeOf(two.ask('a', append(words[1] as string)))
    ])
    if (left === 'fulfilled') acknowledged.push(words[0] as string)
    if (right === 'fulfilled') acknowledged.push(words[1] as string)
    codes.add(left).add(right)
  }
  t.same([...codes].sort(), ['fenced', 'fulfilled'])
  const words = (await storage.activate({ kind: 'session', subject: 'tester', id: 'a' }))?.rows.map(({ body }) => body) ?? []
  t.same([...words].sort(), [...acknowledged].sort(), 'what is stored is what was acknowledged')
})

t.test('memory that was kept for what a step adds is given back with the step: from then on the actor itself weighs it', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const budget = unlimitedBudget()
  const kept = () => budget.held().find(({ kind }) => kind === 'growth')?.weight.heap ?? 0
  const keptBefore: number[] = []
  const { ask } = await startRuntime({
    storage,
    budget,
    async prepare(_command, _signal, room) {
      await room.reserve({ heap: 1_000, buffers: 0 })
      keptBefore.push(kept())
    }
  })
  await ask('a', append('first'))
  storage.hold('commit')
  const second = ask('a', append('second'))
  await settled()
  t.strictSame([keptBefore, kept()], [[1_000, 1_000], 0], 'its commit is under way')
  storage.open('commit')
  await second
  t.equal(kept(), 0)
})
