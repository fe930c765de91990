import t from 'tap'
import { decodeRows, encodeRows } from '../../src/storage/row-encoding.js'

const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ collection: 'memory', id: String(at), body: null }))

t.test('a little is encoded at once, much with iterations of the event loop between, by its bytes and not by its rows', async (t) => {
  let encoded = 0
  const encoder = (bytes: number) => ({
    encode: ({ id }: { readonly id: string }) => (encoded++, { id, bytes }),
    bytesOf: (row: { readonly id: string; readonly bytes: number }) => row.bytes
  })
  t.same(encodeRows([], encoder(1)), [])
  t.same(
    encodeRows(rowsOf(256), encoder(1_600)),
    rowsOf(256).map(({ id }) => ({ id, bytes: 1_600 })),
    '256 rows of 384 dimensions'
  )
  encoded = 0
  const wide = encodeRows(rowsOf(1_000), encoder(65_536))
  t.ok(wide instanceof Promise)
  const atOnce: number[] = [encoded]
  for (let seen = encoded; encoded < 1_000; seen = encoded) {
    await new Promise((resolve) => setImmediate(resolve))
    atOnce.push(encoded - seen)
  }
  t.equal(Math.max(...atOnce), 8, 'half a megabyte a turn')
  t.same(
    (await wide).map(({ id }) => id),
    rowsOf(1_000).map(({ id }) => id)
  )
})

t.test('what takes long is encoded and decoded with turns between, however few its bytes', async (t) => {
  let nowMs = 0
  const clock = { monotonicMs: () => nowMs }
  const work: number[] = []
  const note = (): void => {
    nowMs += 1
    work.push(nowMs)
  }
  const encoder = { encode: ({ id }: { readonly id: string }) => (note(), id), bytesOf: () => 1, clock }
  const encoded = encodeRows(rowsOf(5), encoder)
  t.equal(work.length, 2, 'two milliseconds')
  t.same(
    await encoded,
    rowsOf(5).map(({ id }) => id)
  )
  work.length = 0
  const read: number[] = []
  const decoding = decodeRows([1, 2, 3], { decode: (row) => (note(), read.push(row)), bytesOf: () => 1, clock })
  t.equal(work.length, 2)
  await decoding
  t.same(read, [1, 2, 3])
})
