import t from 'tap'
import {
  buriedRows,
  findRequest,
  hasRoomForRetried,
  type IdempotencyRing,
  mayHaveLeft,
  noteRequest,
  restoreRing,
  ringRows
} from '../../../actors/messaging/idempotency-ring.js'
import { CLOCK_SKEW_S, RETRIED_S } from '../../../src/domain/limits.js'
import { keyedRequestId } from '../../../src/domain/request-keys.js'
import type { StoredRow } from '../../../src/ports.js'

const TYPE = 'list.append'
const keyed = (key: string) => keyedRequestId({ subject: 'tester', sessionId: 'a', key }, { key })

/** Creates a ring, with its rows as a storage would hold them. */
function createRecord() {
  const ring: IdempotencyRing = restoreRing([])
  const rows = new Map<string, StoredRow>()
  return {
    ring,
    rows: () => [...rows.values()],
    note(requestId: string, { at = 1_000, reply = 1, isRetried = false }: { at?: number; reply?: unknown; isRetried?: boolean } = {}) {
      for (const row of noteRequest(ring, { requestId, type: TYPE, at, reply, isRetried })) rows.set(row.id, row)
    }
  }
}

t.test('a ring that is restored from the rows that were written is the ring that wrote them, and goes on as it does', async (t) => {
  const { ring, rows, note } = createRecord()
  t.same(restoreRing(rows()), ring, 'of nothing')
  t.match(ring, { next: 0, retried: { next: 0 }, keyed: { next: 0 } })
  for (let n = 0; n < 300; n++) {
    note(n % 3 === 0 ? keyed(`k${String(n)}`) : `r${String(n)}`, { at: 1_000 + n * RETRIED_S, isRetried: n % 3 === 1, reply: n })
    // Replies leave memory before they leave their rows.
    const restored = restoreRing(rows())
    t.same({ ...restored, slots: restored.slots.length }, { ...ring, slots: ring.slots.length }, `after ${String(n)}`)
  }
  t.same(restoreRing(ringRows(ring)), ring)
})

t.test('the 64 last requests, 256 that were retried and 1,024 with a key have a row each', async (t) => {
  const { rows, note } = createRecord()
  const count = (pattern: RegExp) => rows().filter(({ id }) => pattern.test(id)).length
  for (let n = 0; n < 300; n++) note(`r${String(n)}`, { at: 1_000 + n * (RETRIED_S + 1), isRetried: true })
  for (let n = 0; n < 1_100; n++) note(keyed(String(n)), { at: 1e9 })
  t.same([count(/^\d+$/), count(/^retried-\d+$/), count(/^retried-key-\d+$/)], [64, 256, 1_024])
})

t.test('a request may have left the log once 65 were noted and the oldest is younger than its first try', async (t) => {
  const { ring, note } = createRecord()
  const asked = { now: 1_000, triedMs: 10_000 }
  t.equal(mayHaveLeft(ring, asked), false, 'nothing was noted')
  for (let n = 0; n < 64; n++) note(`r${String(n)}`)
  t.equal(mayHaveLeft(ring, asked), false, 'all that were noted are known')
  note('r64')
  t.equal(mayHaveLeft(ring, asked), true)
  t.equal(mayHaveLeft(ring, { now: 1_010 + CLOCK_SKEW_S, triedMs: 10_000 }), true)
  t.equal(mayHaveLeft(ring, { now: 1_011 + CLOCK_SKEW_S, triedMs: 10_000 }), false, 'it was noted before the first try')
})

t.test('a place for a retried request is free again when no copy of the oldest can arrive', async (t) => {
  const { ring, note } = createRecord()
  for (let n = 0; n < 255; n++) note(`r${String(n)}`, { isRetried: true })
  t.equal(hasRoomForRetried(ring, 1_000), true)
  note('r255', { isRetried: true })
  t.equal(hasRoomForRetried(ring, 1_000), false)
  t.equal(hasRoomForRetried(ring, 1_000 + RETRIED_S), false)
  t.equal(hasRoomForRetried(ring, 1_001 + RETRIED_S), true)
})

t.test('of the replies only the last stays when its record is removed, and only if it tells nothing of a user', async (t) => {
  for (const [reply, answer] of [
    [{ removed: 3, isDone: true }, { reply: { removed: 3, isDone: true } }],
    [{ removed: null, left: undefined }, { reply: { removed: null, left: undefined } }],
    [{ text: 'Wintermute' }, null],
    ['Wintermute', null],
    [[1], null],
    [new Float32Array(1), null],
    [null, { reply: null }]
  ] as const) {
    const { ring, note } = createRecord()
    note('first', { reply: 1 })
    note('last', { reply })
    const buried = restoreRing(buriedRows(ring))
    t.same(findRequest(buried, { requestId: 'first', type: TYPE })?.answer, null)
    t.same(findRequest(buried, { requestId: 'last', type: TYPE })?.answer, answer, JSON.stringify(reply))
  }
})

t.test('a reply of up to 256 KB is kept', async (t) => {
  const { ring, note } = createRecord()
  const answerTo = (requestId: string) => findRequest(ring, { requestId, type: TYPE })?.answer
  note('long', { reply: 'x'.repeat(256 * 1024) })
  note('longer', { reply: 'x'.repeat(256 * 1024 + 1) })
  t.equal(String(answerTo('long')?.reply).length, 256 * 1024)
  t.equal(answerTo('longer'), null)
})

t.test('what one request asked is not what else it asked', async (t) => {
  const { ring, note } = createRecord()
  note('r', { isRetried: true })
  t.match(findRequest(ring, { requestId: 'r', type: TYPE }), { answer: { reply: 1 } })
  t.equal(findRequest(ring, { requestId: 'r', type: 'list.clear' }), undefined)
})

t.test('replies leave memory after two minutes, but for the last eight, and younger ones do not', async (t) => {
  const { ring, note } = createRecord()
  const kept = () => ring.slots.flatMap(({ request }) => (request.answer === null ? [] : [request.requestId]))
  for (let n = 0; n < 20; n++) note(`r${String(n)}`)
  note('young', { at: 1_120 })
  t.equal(kept().length, 21)
  note('last', { at: 1_121 })
  t.same(kept(), ['r14', 'r15', 'r16', 'r17', 'r18', 'r19', 'young', 'last'])
})
