import t from 'tap'
import { createTimetable } from '../../../actors/observer/timetable.js'
import type { Address } from '../../../src/domain/address.js'

const observer = (subject: string): Address => ({ kind: 'observer', subject, id: 'only' })

t.test('an observer is due an interval after its last sample, and then each interval, also where no sample comes of it', async (t) => {
  const timetable = createTimetable()
  timetable.note(observer('alice'), 100, 30)
  timetable.note(observer('bob'), 100, 60)
  t.same(timetable.due(129.9), [])
  t.same(timetable.due(130), [observer('alice')])
  t.same(timetable.due(159), [])
  t.same(timetable.due(160), [observer('alice'), observer('bob')])
  timetable.note(observer('alice'), 165, 30)
  t.same(timetable.due(194), [])
  t.same(timetable.due(195), [observer('alice')], 'a sample in between moves the next one')
})

t.test('a clock that was set back makes nobody wait for longer than an interval', async (t) => {
  const timetable = createTimetable()
  timetable.note(observer('alice'), 1_000, 30)
  t.same(timetable.due(1_000), [], 'due at 1,030')
  t.same(timetable.due(999), [observer('alice')])
  t.same(timetable.due(1_028), [])
  t.same(timetable.due(1_029), [observer('alice')])
})

t.test('an observer that another node samples is due no more until it is noted again', async (t) => {
  const timetable = createTimetable()
  for (const subject of ['alice', 'bob']) timetable.note(observer(subject), 100, 30)
  timetable.forget(observer('alice'))
  t.same(timetable.due(130), [observer('bob')])
  timetable.note(observer('alice'), 130, 30)
  t.same(timetable.due(160), [observer('alice'), observer('bob')].reverse())
})
