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
  scans.keep(scans.room(query, 1))
  query.fill(0)
  t.ok(scans.find(same, 1, measure), 'a copy, as long as nobody promises that it stays')
  scans.change(0, { vector: same })
  t.ok(scans.find(Float32Array.of(1, 2), 1, measure))
  scans.change(0, { vector: other, gone: same })
  t.equal(scans.find(Float32Array.of(1, 2), 1, measure), null)
})
