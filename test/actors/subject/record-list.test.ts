import t from 'tap'
import { createRecordList, refuseWhenTooMany } from '../../../actors/subject/record-list.js'
import type { Siblings } from '../../../src/domain/address.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'

const NONE = { put: [], remove: [] }

async function stored(count: number) {
  const storage = createMemoryStorage({ retains: true })
  for (let n = 0; n < count; n++) {
    const id = String(n).padStart(4, '0')
    await storage.create({ kind: 'region', subject: 'alice', id }, { head: { size: n }, ...NONE })
  }
  await storage.create({ kind: 'region', subject: 'bob', id: 'his' }, { head: { size: -1 }, ...NONE })
  await storage.create({ kind: 'cluster', subject: 'alice', id: 'other' }, { head: { size: -2 }, ...NONE })
  return storage
}

const sizeOf = (head: unknown) => (head as { size: number }).size

t.test('a list of records: of one kind and subject, each once, in the order of their ids', async (t) => {
  const list = createRecordList({
    storage: await stored(405),
    kind: 'region',
    readItem: (_subject, id, head) => [id, sizeOf(head)] as const
  })
  const all = await list.all('alice')
  t.strictSame(
    all.map(([, size]) => size),
    Array.from({ length: 405 }, (_, n) => n)
  )
  t.strictSame(await list.page('alice', { limit: 2, after: '0001' }), {
    items: [
      ['0002', 2],
      ['0003', 3]
    ],
    next: '0003'
  })
  t.strictSame(await list.page('alice', { limit: 2, after: '0402' }), {
    items: [
      ['0403', 403],
      ['0404', 404]
    ],
    next: null
  })
  t.strictSame(await list.all('nobody'), [])
})

t.test('a list of records: what the reader leaves out or the storage has lost is not in it', async (t) => {
  const storage = await stored(40)
  const gone = {
    ...storage,
    heads: async (query: Siblings) => new Map([...(await storage.heads(query))].filter(([id]) => id !== '0007'))
  }
  const list = createRecordList({
    storage: gone,
    kind: 'region',
    readItem: async (_subject, _id, head) => (sizeOf(head) % 2 === 1 ? sizeOf(head) : null)
  })
  t.strictSame(
    await list.all('alice'),
    Array.from({ length: 20 }, (_, n) => 2 * n + 1).filter((n) => n !== 7)
  )
})

t.test('a list of records: their heads are read 64 at a time', async (t) => {
  const storage = await stored(150)
  const sizes: number[] = []
  const heads = (query: Siblings) => {
    sizes.push(query.ids.length)
    return storage.heads(query)
  }
  const list = createRecordList({ storage: { ...storage, heads }, kind: 'region', readItem: async (_subject, id) => id })
  const { items } = await list.page('alice', { limit: 140 })
  t.strictSame([items.length, items.at(-1)], [140, '0139'])
  t.strictSame(sizes, [64, 64, 12])
})

t.test('a full kind: refused from the last record that fits', async (t) => {
  const storage = await stored(3)
  const of = (max: number) => ({ kind: 'region', subject: 'alice', max, message: 'Too many regions' }) as const
  await t.resolves(refuseWhenTooMany(storage, of(4)))
  await t.rejects(refuseWhenTooMany(storage, of(3)), { code: 'limit_reached', message: 'Too many regions' })
  await t.resolves(refuseWhenTooMany(storage, { ...of(1), subject: 'nobody' }))
})

t.test('a list of some records: a page ends where it is full, at the last record, or after 20,000 that were looked at', async (t) => {
  const list = createRecordList({ storage: await stored(20_500), kind: 'region', readItem: (_subject, id) => id })
  const wanted = new Set(['0003', '0004', '1999', '20300'])
  const accept = (id: string) => wanted.has(id)
  t.strictSame(await list.page('alice', { limit: 2, accept }), { items: ['0003', '0004'], next: '0004' })
  const second = await list.page('alice', { limit: 2, after: '0004', accept })
  t.strictSame(second, { items: ['1999', '20300'], next: '9504' })
  t.strictSame(await list.page('alice', { limit: 2, after: '9504', accept }), { items: [], next: null })
  const far = await list.page('alice', { limit: 1, accept: (id) => id === '9999' })
  t.strictSame(far.items, [], 'not found yet')
  t.strictSame(await list.page('alice', { limit: 1, after: far.next ?? '', accept: (id) => id === '9999' }), {
    items: ['9999'],
    next: null
  })
})
