import fc from 'fast-check'
import t from 'tap'
import { gatherChanges } from '../../../actors/behaviour/record-changes.js'
import type { RecordChanges } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'

const name = fc.record({ collection: fc.constantFrom('memories', 'entities'), id: fc.constantFrom('1', '2', '3', '4') })
const changes: fc.Arbitrary<RecordChanges> = fc
  .record({
    head: fc.nat(),
    put: fc.uniqueArray(
      fc.tuple(name, fc.nat()).map(([row, body]) => ({ ...row, body })),
      { selector: ({ collection, id }) => collection + id }
    ),
    remove: fc.array(name, { maxLength: 4 }),
    clear: fc.boolean(),
    wakes: fc.boolean()
  })
  .map(({ clear, wakes, ...rest }) => ({ ...rest, ...(clear && { clear }), ...(wakes && { wakes }) }))

/** What a storage holds after writing the changes in order. */
async function written(...all: RecordChanges[]) {
  const storage = createMemoryStorage({ retains: true })
  const address = { kind: 'session', subject: 's', id: 'a' } as const
  const seed = ['1', '2', '3'].flatMap((id) => [
    { collection: 'memories', id, body: 'seed' },
    { collection: 'entities', id, body: 'seed' }
  ])
  let token = await storage.create(address, { head: 'seed', put: seed, remove: [] })
  for (const one of all) if (token !== null) token = await storage.commit(address, token, one)
  const record = await storage.activate(address)
  const { addresses } = await storage.reminders({ limit: 1 })
  return { head: record?.head, rows: record?.rows.map((row) => JSON.stringify(row)).sort(), wakes: addresses.length }
}

t.test('the gathered changes of several steps leave the same record as written one by one', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 6 }), async (steps) => {
      const gathered = gatherChanges()
      for (const step of steps) gathered.add(step)
      t.strictSame(await written(gathered.merged()), await written(...steps))
    }),
    { numRuns: 200 }
  )
})

t.test('one step is written as it was given', async (t) => {
  const step: RecordChanges = { head: 1, put: [], remove: [] }
  const gathered = gatherChanges()
  gathered.add(step)
  t.equal(gathered.merged(), step)
})

t.test('gathered audit entries of several steps are all there and in their order', async (t) => {
  const entry = (requestId: string) =>
    ({ action: 'run', userId: 'u', sessionId: 's', requestId, timestamp: 1, digest: '00', size: 1 }) as const
  const gathered = gatherChanges()
  gathered.add({ head: 1, put: [], remove: [], audit: [entry('a')] })
  gathered.add({ head: 2, put: [], remove: [] })
  gathered.add({ head: 3, put: [], remove: [], clear: true, audit: [entry('b'), entry('c')] })
  t.strictSame(
    gathered.merged().audit?.map(({ requestId }) => requestId),
    ['a', 'b', 'c']
  )
})
