import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { watchEventLoop } from '../../src/metrics/event-loop.js'

/** Blocks the event loop. */
function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

t.test('event loop: nothing measured yet, no lag', async (t) => {
  t.strictSame(watchEventLoop()(), { p50: 0, p99: 0, max: 0 })
})

// Real time, since it is the event loop's own that is measured.
t.test('event loop: blocked for a while, late by about as much, and only until it is read', async (t) => {
  const readLag = watchEventLoop()
  // The watch itself needs a few rounds of its timer before it has a time to compare with.
  await wait(50)
  block(200)
  await wait(50)
  const { p50, p99, max } = readLag()
  t.ok(max > 0.15, `${max} s`)
  t.ok(p50 <= p99 && p99 <= max)
  t.strictSame(readLag(), { p50: 0, p99: 0, max: 0 }, 'read once')
})
