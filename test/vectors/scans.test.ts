import t from 'tap'
import { indexedWeight } from '../../src/domain/fairness/session-weight.js'
import { Scans } from '../../src/vectors/scans.js'

const PLACES = 1_000

/** Bytes of spare places for vectors that are added while a scan is cached. */
const SPARE_BYTES = 64 * (Float32Array.BYTES_PER_ELEMENT + Float64Array.BYTES_PER_ELEMENT)

t.test('the searches of an index take no more room than its vectors count for them, however many there are', async (t) => {
  const scans = new Scans()
  const rooms = new Set<ArrayBufferLike>()
  for (let n = 0; n < 20; n++) {
    const scan = scans.room(Float32Array.of(n), PLACES)
    rooms.add(scan.similarities.buffer).add(scan.products.buffer)
    scans.keep(scan)
  }
  const vectors = new Float32Array(0)
  const counted = PLACES * indexedWeight({ vectors, partEnds: [1] }).buffers
  const taken = [...rooms].reduce((sum, room) => sum + room.byteLength, 0)
  t.ok(taken <= counted + rooms.size * SPARE_BYTES, `${String(taken)} bytes, of which ${String(counted)} count`)
})

t.test('a query that the index holds as a vector is not kept a second time, and not when that one is gone', async (t) => {
  const scans = new Scans()
  const [query, same, other] = [Float32Array.of(1, 2), Float32Array.of(1, 2), Float32Array.of(3, 4)]
  const measure = (): number => 7
  scans.keep(scans.room(query, PLACES))
  query.fill(0)
  t.ok(scans.find(same, PLACES, measure), 'a copy, as long as nobody promises that it stays')
  scans.change(0, { vector: same })
  t.ok(scans.find(Float32Array.of(1, 2), PLACES, measure))
  scans.change(0, { vector: other, gone: same })
  t.equal(scans.find(Float32Array.of(1, 2), PLACES, measure), null)
})

t.test('a scan is kept for the changes of 64 places, for two queries, and for as many places as it has room for', async (t) => {
  const measure = (): number => 7
  const query = Float32Array.of(1, 2)
  const isKept = (size: number, places: readonly number[]): boolean => {
    const scans = new Scans()
    scans.keep(scans.room(query, size))
    for (const place of places) scans.change(place, {})
    return scans.find(query, size, measure) !== null
  }
  const first = (count: number): number[] => Array.from({ length: count }, (_, place) => place)
  t.ok(isKept(PLACES, first(64)))
  t.notOk(isKept(PLACES, first(65)))
  t.ok(isKept(PLACES, [PLACES + 63]))
  t.notOk(isKept(PLACES, [PLACES + 64]))
  t.ok(isKept(512, [0]))
  t.ok(isKept(511, []))
  t.notOk(isKept(511, [0]), 'one of few places is kept until something changes')
  const scans = new Scans()
  for (const value of [1, 2, 3]) scans.keep(scans.room(Float32Array.of(value), 1))
  const known = [1, 2, 3].filter((value) => scans.find(Float32Array.of(value), 1, measure) !== null)
  t.same(known, [2, 3])
  scans.clear()
  t.equal(scans.find(Float32Array.of(3), 1, measure), null)
})

t.test('a place that changed is measured again, once, unless it is gone, and the nearest are not known any more', async (t) => {
  const scans = new Scans()
  const query = Float32Array.of(1)
  const made = scans.room(query, PLACES, 300)
  made.similarities.set([0.1, 0.2, 0.3])
  made.products.set([0.1, 0.2, 0.3])
  scans.keep(made).nearest = [{ label: 2, similarity: 0.3 }]
  t.match(
    scans.find(query, 3, () => 7),
    { nearest: [{ label: 2, similarity: 0.3 }], greatest: { length: 300 } }
  )
  scans.change(1, {})
  scans.change(2, {})
  const measured: number[] = []
  const measure = (_: Float32Array, place: number): number => measured.push(place)
  const found = scans.find(query, 2, measure)
  t.match(found, { nearest: null, greatest: null })
  t.same([...(found?.products.subarray(0, 3) ?? [])], [0.1, NaN, NaN])
  scans.find(query, 2, measure)
  t.same(measured, [1])
})

t.test('a scan that gets the arrays of a former one knows no product of it', async (t) => {
  for (const [places, isOneByOne] of [
    [512, false],
    [16_384, true]
  ] as const) {
    const scans = new Scans()
    const products = new Set<Float64Array>()
    for (let n = 0; n < 8; n++) {
      const scan = scans.room(Float32Array.of(n), places)
      t.ok(scan.products.every(Number.isNaN))
      t.equal(scan.computed !== null, isOneByOne)
      products.add(scan.products)
      for (const place of [3, n, 500 - n]) {
        scan.products[place] = n
        scan.computed?.push(place)
      }
      scans.keep(scan)
    }
    t.ok(products.size < 8, 'arrays are used again')
  }
})
