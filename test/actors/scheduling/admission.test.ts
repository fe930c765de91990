import t from 'tap'
import { type Admission, createAdmission, type Door } from '../../../actors/scheduling/admission.js'
import { SUBJECT_WAITING_MAX } from '../../../src/domain/limits.js'
import { createManualClock } from '../../support/manual-clock.js'

/** Asks for admission. The caller's `state` tells the result; it leaves when the test says so. */
function comeTo(admission: Admission, door: Door, { subject = 'alice', isInner = false } = {}) {
  const caller = { state: 'waiting', leave: () => undefined as void }
  admission.enter(door, {
    subject,
    isInner,
    deadlineMs: 1_000,
    entered(leave) {
      caller.state = 'inside'
      caller.leave = leave
    },
    refused({ code, message }) {
      caller.state = code === 'busy' ? message : code
    }
  })
  return caller
}

t.test('what is inside leaves once, however often it says so, and what waits comes in for it', async (t) => {
  const admission = createAdmission({ clock: createManualClock(), inFlightMax: 1 })
  const first = comeTo(admission, 'actors')
  const second = comeTo(admission, 'actors', { subject: 'bob' })
  const third = comeTo(admission, 'actors', { subject: 'carol' })
  t.same([first.state, second.state, third.state], ['inside', 'waiting', 'waiting'])
  t.same([admission.inFlight, admission.waiting], [1, 2])
  first.leave()
  first.leave()
  t.same([second.state, third.state], ['inside', 'waiting'])
  t.same([admission.inFlight, admission.waiting], [1, 1])
  second.leave()
  third.leave()
  t.same([admission.inFlight, admission.waiting], [0, 0])
})

t.test('one who holds a place among the forwards may have one among the actors', async (t) => {
  const admission = createAdmission({ clock: createManualClock(), inFlightMax: 1 })
  t.equal(comeTo(admission, 'forwards').state, 'inside')
  t.equal(comeTo(admission, 'actors').state, 'inside')
  t.equal(comeTo(admission, 'forwards').state, 'waiting')
  t.equal(comeTo(admission, 'actors').state, 'waiting')
  t.same([admission.inFlight, admission.waiting], [2, 2])
})

t.test('a subject that has more waiting than there is room for is told that too much is in progress', async (t) => {
  const admission = createAdmission({ clock: createManualClock(), inFlightMax: 1 })
  for (let n = 0; n <= SUBJECT_WAITING_MAX; n++) comeTo(admission, 'actors')
  t.equal(admission.waiting, SUBJECT_WAITING_MAX)
  t.equal(comeTo(admission, 'actors').state, 'Too many operations are in progress')
  t.equal(comeTo(admission, 'actors', { subject: 'bob' }).state, 'waiting')
})

t.test('work that is part of other work comes in whatever the limits, and is counted', async (t) => {
  const admission = createAdmission({ clock: createManualClock(), inFlightMax: 1 })
  comeTo(admission, 'actors')
  const inner = comeTo(admission, 'actors', { isInner: true })
  t.equal(inner.state, 'inside')
  t.equal(admission.inFlight, 2)
  inner.leave()
  t.equal(admission.inFlight, 1)
})

t.test('a closed door lets in what waits and what is part of other work, and refuses what is new', async (t) => {
  const admission = createAdmission({ clock: createManualClock(), inFlightMax: 1 })
  const first = comeTo(admission, 'actors')
  const second = comeTo(admission, 'actors')
  admission.close()
  t.equal(comeTo(admission, 'actors').state, 'draining')
  t.equal(comeTo(admission, 'actors', { isInner: true }).state, 'inside')
  first.leave()
  t.equal(second.state, 'inside')
})

t.test('a listener is called once nothing is inside or waits, at once where nothing is', async (t) => {
  const clock = createManualClock()
  const admission = createAdmission({ clock, inFlightMax: 1 })
  const called: string[] = []
  admission.whenIdle(() => called.push('at once'))
  t.same(called, ['at once'])
  const alone = comeTo(admission, 'actors')
  admission.whenIdle(() => called.push('soon'))
  t.same(called, ['at once'])
  alone.leave()
  t.same(called.splice(1), ['soon'])
  const first = comeTo(admission, 'actors')
  const late = comeTo(admission, 'actors')
  admission.whenIdle(() => called.push('later'))
  admission.whenIdle(() => called.push('later, too'))
  await clock.advance(1_000)
  t.equal(late.state, 'deadline_passed')
  t.same(called, ['at once'])
  first.leave()
  t.same(called, ['at once', 'later', 'later, too'])
  comeTo(admission, 'forwards').leave()
  t.equal(called.length, 3, 'once each')
})
