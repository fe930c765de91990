import t from 'tap'
import { createBeats } from '../../src/debug-page/beats.js'
import { createTimers } from '../support/manual-timers.js'

function createRig() {
  const { timers, pass, pending } = createTimers()
  const seen = { beats: 0, isHidden: false }
  const beats = createBeats(
    () => seen.beats++,
    () => seen.isHidden,
    timers
  )
  return { beats, seen, pass, pending }
}

t.test('beats: the first at once, and of many that are asked for one in two seconds', async (t) => {
  const { beats, seen, pass } = createRig()
  beats.ask()
  t.equal(seen.beats, 1)
  for (let at = 0; at < 100; at++) {
    beats.ask()
    await pass(100)
  }
  t.equal(seen.beats, 6)
  await pass(10_000)
  t.equal(seen.beats, 6, 'none that nobody asked for')
})

t.test('beats: a page that nobody sees does not beat, and does when it is asked in sight', async (t) => {
  const { beats, seen, pass } = createRig()
  seen.isHidden = true
  beats.ask()
  await pass(60_000)
  t.equal(seen.beats, 0)
  seen.isHidden = false
  beats.ask()
  t.equal(seen.beats, 1)
})

t.test('beats: closed, nothing is left to come', async (t) => {
  const { beats, seen, pass, pending } = createRig()
  beats.ask()
  beats.ask()
  beats.close()
  t.equal(pending(), 0)
  await pass(10_000)
  t.equal(seen.beats, 1)
})
