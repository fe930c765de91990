import t from 'tap'
import { fanOut } from '../../../actors/asking/fan-out.js'
import { processorOf } from '../../../actors/scheduling/processor.js'
import { inSlices, timeSlicesOf } from '../../../actors/scheduling/time-slices.js'
import { whenSettled } from '../../../src/platform/event-loop.js'
import { settled } from '../../support/manual-clock.js'

/** Milliseconds of work that use up a time slice. */
const STRETCH_MS = 2

/** An event loop whose time passes only by work: each iteration calls what was deferred in the one before, in that order. */
function createLoop() {
  let elapsedMs = 0
  let putOff: { listener: () => void }[] = []
  const stretches: number[] = []
  return {
    clock: {
      monotonicMs: () => elapsedMs,
      whenSettled,
      after(_delayMs: number, listener: () => void) {
        const call = { listener }
        putOff.push(call)
        return () => {
          call.listener = () => undefined
        }
      }
    },
    /** Milliseconds of work in each iteration. */
    stretches,
    work(ms: number) {
      elapsedMs += ms
    },
    /** Runs iterations until nothing is deferred any more. */
    async run(): Promise<void> {
      let beganAtMs = 0
      await settled()
      stretches.push(elapsedMs)
      while (putOff.length > 0) {
        beganAtMs = elapsedMs
        const calls = putOff
        putOff = []
        for (const call of calls) {
          call.listener()
          await settled()
        }
        stretches.push(elapsedMs - beganAtMs)
      }
    }
  }
}

const numbers = (length: number) => Array.from({ length }, (_, at) => at)
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

t.test('asks that take a millisecond of work each let the event loop turn every two', async (t) => {
  const { clock, stretches, work, run } = createLoop()
  const over = fanOut(numbers(40), clock, async () => work(1))
  await run()
  await over
  t.same(
    stretches.filter((ms) => ms > 0),
    Array(20).fill(STRETCH_MS)
  )
})

t.test('work of a millisecond for each item lets the event loop turn every two, in the order of the items', async (t) => {
  const { clock, stretches, work, run } = createLoop()
  const done: number[] = []
  const over = inSlices(numbers(40), clock, (item) => {
    work(1)
    done.push(item)
  })
  await run()
  await over
  t.same(
    stretches.filter((ms) => ms > 0),
    Array(20).fill(STRETCH_MS)
  )
  t.same(done, numbers(40))
})

t.test('work that throws is stopped there', async (t) => {
  const { clock, run } = createLoop()
  const done: number[] = []
  const over = inSlices(numbers(3), clock, (item) => {
    if (item === 1) throw new Error('cannot')
    done.push(item)
  })
  await Promise.all([t.rejects(over, /cannot/), run()])
  t.same(done, [0])
})

t.test('asks within asks share the time of a turn', async (t) => {
  const { clock, stretches, work, run } = createLoop()
  const over = fanOut(numbers(10), clock, async () => {
    await fanOut(numbers(20), clock, async () => work(1))
  })
  await run()
  await over
  t.equal(sumOf(stretches), 200)
  t.equal(Math.max(...stretches), STRETCH_MS)
})

t.test('asks of many at the same time share the time of a turn, and all of them get on', async (t) => {
  const { clock, stretches, work, run } = createLoop()
  const ends = new Map<number, number>()
  const over = numbers(20).map(async (caller) => {
    await fanOut(numbers(10), clock, async () => work(1))
    ends.set(caller, clock.monotonicMs())
  })
  await run()
  await Promise.all(over)
  t.equal(sumOf(stretches), 200)
  t.equal(Math.max(...stretches), STRETCH_MS)
  t.ok(Math.min(...ends.values()) > 100, 'nobody is served to the end while the others wait')
})

t.test('those who paused go on in the order in which they did', async (t) => {
  const { clock, work, run } = createLoop()
  const turns = timeSlicesOf(clock)
  const order: string[] = []
  const worker = async (name: string) => {
    for (let round = 0; round < 3; round++) {
      if (turns.isUsedUp()) await turns.pause()
      order.push(name)
      work(STRETCH_MS)
    }
  }
  const over = Promise.all([worker('a'), worker('b'), worker('c')])
  await run()
  await over
  t.equal(order.join(''), 'a' + 'abc' + 'abc' + 'bc', 'b and c find the turn used up by a, which has paused before them')
})

t.test('asks of many get on while the processor never runs out of work, and half of its work is done meanwhile', async (t) => {
  const { clock, work, run } = createLoop()
  let left = 500
  const runs = () => {
    if (left-- === 0) return
    processorOf(clock).run('busy', () => {
      work(STRETCH_MS)
      runs()
    })
  }
  runs()
  let leftThen = 0
  const over = fanOut(numbers(20), clock, async () => work(STRETCH_MS)).then(() => (leftThen = left))
  await run()
  await over
  t.ok(leftThen > 450 && leftThen < 490, `${leftThen} of 500 were left`)
})

t.test('the processor gets on while work in slices never ends, however much of it there is', async (t) => {
  const { clock, work, run } = createLoop()
  let slices = 0
  const over = numbers(10).map(async () => inSlices(numbers(50), clock, () => (work(STRETCH_MS), slices++)))
  let slicesThen = Infinity
  const runs = (left: number) => {
    if (left === 0) slicesThen = slices
    else
      processorOf(clock).run('calm', () => {
        work(STRETCH_MS)
        runs(left - 1)
      })
  }
  runs(20)
  await run()
  await Promise.all(over)
  t.ok(slicesThen < 60, `after ${slicesThen} of 500 slices`)
})

t.test('one clock has one loop, and another clock another', async (t) => {
  const { clock } = createLoop()
  t.equal(timeSlicesOf(clock), timeSlicesOf(clock))
  t.not(timeSlicesOf(clock), timeSlicesOf(createLoop().clock))
})
