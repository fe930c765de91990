import t from 'tap'
import { acquirePermit, createSemaphore, type Semaphore } from '../../../actors/scheduling/semaphore.js'
import { SUBJECT_WAITING_BYTES_MAX, SUBJECT_WAITING_MAX, WAITING_BYTES_MAX, WAITING_MAX } from '../../../src/domain/limits.js'
import { createManualClock } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'

const full = 'Too much'

/** Visitors that enter under names, and who of them is inside. */
function visitorsOf(permits: Semaphore) {
  const inside: string[] = []
  const leaves = new Map<string, () => void>()
  const refused = new Map<string, string>()
  return {
    inside,
    refused,
    enter: (subject: string, name: string, { deadlineMs = 1_000, bytes = 0 } = {}) =>
      permits.enter({
        subject,
        deadlineMs,
        bytes: () => bytes,
        entered(leave) {
          inside.push(name)
          leaves.set(name, leave)
        },
        refused: (error) => void refused.set(name, error.code)
      }),
    leave: (name: string) => leaves.get(name)?.()
  }
}

t.test('a limited number of permits is given in the order they were asked for', async (t) => {
  const permits = createSemaphore({ clock: createManualClock(), permitsMax: 2, full })
  const { enter, leave, inside } = visitorsOf(permits)
  for (let n = 0; n < 5; n++) enter('a', String(n))
  t.same(inside, ['0', '1'])
  leave('0')
  leave('0')
  t.same(inside, ['0', '1', '2'], 'who leaves twice leaves once')
  for (const name of ['1', '2', '3']) leave(name)
  t.same(inside, ['0', '1', '2', '3', '4'])
  leave('4')
  t.equal(permits.waiting, 0)
  for (let n = 5; n < 8; n++) enter('a', String(n))
  t.same(inside.slice(5), ['5', '6'], 'both are free again')
})

t.test('a subject that asks for everything leaves room for others, and never has more than its own number of permits', async (t) => {
  const permits = createSemaphore({ clock: createManualClock(), permitsMax: 10, subjectMax: 4, full })
  const { enter, leave, inside } = visitorsOf(permits)
  for (let n = 0; n < 50; n++) enter('loud', `loud ${String(n)}`)
  t.equal(inside.length, 4)
  enter('quiet', 'quiet')
  t.equal(inside.at(-1), 'quiet', 'at once')
  for (let n = 0; n < 50; n++) {
    leave(`loud ${String(n)}`)
    t.equal(inside.length, Math.min(51, n + 6), 'one comes in for each that leaves')
  }
  t.equal(inside.length, 51)
})

t.test('permits that are all taken go to subjects in turn, to those first that have held them for less time', async (t) => {
  const clock = createManualClock()
  const permits = createSemaphore({ clock, permitsMax: 1, full })
  const { enter, leave, inside } = visitorsOf(permits)
  for (let n = 0; n < 4; n++) enter('slow', `slow ${String(n)}`)
  for (let n = 0; n < 12; n++) enter('quick', `quick ${String(n)}`)
  for (let n = 0; n < 12; n++) {
    const name = inside.at(-1) ?? ''
    await clock.advance(name.startsWith('slow') ? 40 : 10)
    leave(name)
  }
  t.equal(inside.filter((name) => name.startsWith('slow')).length, 3)
  t.equal(inside.filter((name) => name.startsWith('quick')).length, 10, 'four for one that takes a quarter of the time')
})

t.test('a waiter that waits too long is refused, and one that gave up is never called', async (t) => {
  const clock = createManualClock()
  const permits = createSemaphore({ clock, permitsMax: 1, full })
  const { enter, leave, inside, refused } = visitorsOf(permits)
  enter('a', 'first')
  enter('a', 'late', { deadlineMs: 100 })
  const giveUp = enter('a', 'gone')
  enter('a', 'patient')
  await clock.advance(100)
  t.equal(refused.get('late'), 'deadline_passed')
  giveUp()
  leave('first')
  t.same(inside, ['first', 'patient'])
  t.notOk(refused.has('gone'))
  t.equal(clock.pending, 0, 'no timer is left')
})

t.test('a queue that is full in number or in bytes refuses its subject and nobody else', async (t) => {
  const permits = createSemaphore({ clock: createManualClock(), permitsMax: 100, subjectMax: 1, full })
  const { enter, inside, refused } = visitorsOf(permits)
  enter('many', 'many')
  for (let n = 0; n <= SUBJECT_WAITING_MAX; n++) enter('many', `many ${String(n)}`)
  t.same([...refused], [[`many ${String(SUBJECT_WAITING_MAX)}`, 'busy']])
  enter('large', 'large')
  enter('large', 'largest', { bytes: 2 * SUBJECT_WAITING_BYTES_MAX })
  t.notOk(refused.has('largest'), 'one alone may be as large as it likes')
  enter('large', 'next', { bytes: 1 })
  t.equal(refused.get('next'), 'busy')
  enter('small', 'small')
  t.equal(inside.at(-1), 'small')
})

t.test('queues that are full together still have room for one that has less than its share', async (t) => {
  const permits = createSemaphore({ clock: createManualClock(), permitsMax: 1, full })
  const { enter, refused } = visitorsOf(permits)
  enter('first', 'first')
  const subjects = WAITING_MAX / SUBJECT_WAITING_MAX
  for (let n = 0; n < WAITING_MAX; n++) enter(`s${String(n % subjects)}`, String(n))
  t.equal(permits.waiting, WAITING_MAX)
  enter('another', 'another')
  t.notOk(refused.has('another'))
  t.equal(permits.waiting, WAITING_MAX + 1)
})

t.test('a subject whose waiters gave up has no more permits than before', async (t) => {
  const clock = createManualClock()
  const { enter, inside, refused } = visitorsOf(createSemaphore({ clock, permitsMax: 3, subjectMax: 1, full }))
  enter('a', 'first')
  enter('a', 'impatient', { deadlineMs: 10 })
  await clock.advance(10)
  t.equal(refused.get('impatient'), 'deadline_passed')
  enter('a', 'second')
  t.strictSame(inside, ['first'])
})

t.test('queues that are full together in bytes have room for one that stays within its share of them', async (t) => {
  const permits = createSemaphore({ clock: createManualClock(), permitsMax: 1, full })
  const { enter, refused } = visitorsOf(permits)
  enter('first', 'first')
  const subjects = WAITING_BYTES_MAX / SUBJECT_WAITING_BYTES_MAX
  for (let n = 0; n < subjects; n++) enter(`s${String(n)}`, String(n), { bytes: SUBJECT_WAITING_BYTES_MAX - 1 })
  enter('filler', 'up to the limit', { bytes: subjects })
  t.equal(refused.size, 0)
  const share = Math.floor(WAITING_BYTES_MAX / (subjects + 1))
  enter('large', 'more than a share', { bytes: share + 1 })
  t.equal(refused.get('more than a share'), 'busy')
  enter('filler', 'one more', { bytes: share - subjects })
  t.notOk(refused.has('one more'))
  enter('filler', 'beyond its share', { bytes: 1 })
  t.equal(refused.get('beyond its share'), 'busy')
})

t.test('a permit as a promise is one, and is refused as one', async (t) => {
  const clock = createManualClock()
  const permits = createSemaphore({ clock, permitsMax: 1, full })
  const leave = await acquirePermit(permits, { subject: 'a', deadlineMs: 10 })
  const late = codeOf(acquirePermit(permits, { subject: 'b', deadlineMs: 10 }))
  await clock.advance(10)
  t.equal(await late, 'deadline_passed')
  leave()
  ;(await acquirePermit(permits, { subject: 'b', deadlineMs: 10 }))()
})

t.test('a subject that has fewer permits than its own number gets the one that another subject gives back', async (t) => {
  const { enter, leave, inside } = visitorsOf(createSemaphore({ clock: createManualClock(), permitsMax: 2, full }))
  enter('a', 'first')
  enter('b', 'other')
  enter('a', 'second')
  t.strictSame(inside, ['first', 'other'])
  leave('other')
  t.strictSame(inside, ['first', 'other', 'second'])
})
