import t from 'tap'
import { processorOf } from '../../../actors/scheduling/processor.js'
import { createManualClock } from '../../support/manual-clock.js'
import { whenSettled } from '../../../src/platform/event-loop.js'

/** A clock that only work advances, and an event loop whose iterations the test runs. */
function createWorkingClock() {
  let nowMs = 0
  let planned: (() => void)[] = []
  return {
    clock: {
      monotonicMs: () => nowMs,
      whenSettled,
      after(_: number, listener: () => void) {
        planned.push(listener)
        return () => undefined
      }
    },
    yieldToEventLoop(): void {
      const due = planned
      planned = []
      for (const listener of due) listener()
    },
    work: (ms: number) => void (nowMs += ms)
  }
}

t.test('work of somebody alone is done at once and in its order', async (t) => {
  const processor = processorOf(createManualClock())
  const done: number[] = []
  for (let n = 0; n < 3; n++) processor.run('a', () => void done.push(n))
  t.same(done, [0, 1, 2])
})

t.test('work that asks for more work is not overtaken by it', async (t) => {
  const processor = processorOf(createManualClock())
  const done: string[] = []
  processor.run('a', () => {
    processor.run('a', () => void done.push('inner'))
    done.push('outer')
  })
  t.same(done, ['outer', 'inner'])
})

t.test('a subject with expensive work waiting does not keep another one from its turn', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  const done: string[] = []
  const todo = (subject: string, ms: number) =>
    processor.run(subject, () => {
      work(ms)
      done.push(subject)
    })
  for (let n = 0; n < 10; n++) todo('dear', 20)
  t.same(done, ['dear'], 'the turn is used up')
  for (let n = 0; n < 4; n++) todo('cheap', 1)
  yieldToEventLoop()
  yieldToEventLoop()
  t.same(done.slice(0, 5), ['dear', 'cheap', 'cheap', 'cheap', 'cheap'])
  for (let n = 0; n < 40; n++) yieldToEventLoop()
  t.equal(done.length, 14)
})

t.test('two subjects that always have work get the same time, whatever a piece of it costs', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  const used = { dear: 0, cheap: 0 }
  const again = (subject: 'dear' | 'cheap', ms: number): void =>
    processor.run(subject, () => {
      work(ms)
      used[subject] += ms
      again(subject, ms)
    })
  again('dear', 30)
  again('cheap', 2)
  for (let n = 0; n < 200; n++) yieldToEventLoop()
  t.ok(Math.abs(used.dear - used.cheap) <= 60, `${String(used.dear)} ms and ${String(used.cheap)} ms`)
})

t.test('work that fails fails for its caller, and the rest goes on', async (t) => {
  const processor = processorOf(createManualClock())
  await t.rejects(
    processor.take('a', () => {
      throw new Error('no')
    }),
    { message: 'no' }
  )
  t.equal(await processor.take('b', () => 7), 7)
  t.equal(await processor.take('b', async () => 8), 8)
})

t.test('work in several parts, each after the one before it has settled, waits for at most one piece of another subject', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  const done: string[] = []
  for (let n = 0; n < 5; n++) {
    processor.run('dear', () => {
      work(20)
      done.push('dear')
    })
  }
  const inParts = async (): Promise<void> => {
    for (const part of ['prepare', 'embed', 'step']) {
      await processor.take('quiet', async () => {
        work(1)
        await Promise.resolve()
      })
      for (let hops = 0; hops < 10; hops++) await Promise.resolve()
      done.push(part)
    }
  }
  const finished = inParts()
  for (let n = 0; n < 20; n++) {
    yieldToEventLoop()
    await new Promise(setImmediate)
  }
  await finished
  t.same(done.slice(0, 4), ['dear', 'prepare', 'embed', 'step'])
  t.equal(done.length, 8)
})

t.test('short work of several subjects is done in one iteration, each after what the one before it had left to settle', async (t) => {
  const { clock } = createWorkingClock()
  const processor = processorOf(clock)
  const done: string[] = []
  const inParts = async (subject: string): Promise<void> => {
    for (let part = 1; part <= 2; part++) {
      await processor.take(subject, async () => undefined)
      for (let hops = 0; hops < 10; hops++) await Promise.resolve()
      done.push(`${subject}${String(part)}`)
    }
  }
  processor.run('c', () => {
    void inParts('a')
    void inParts('b')
  })
  // Runs no iteration of the test's event loop; only waits for promises.
  await new Promise(setImmediate)
  t.same(done.sort(), ['a1', 'a2', 'b1', 'b2'])
})

t.test('requests count: the turn of a subject that sends many comes after that of one that sends few', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  const done: string[] = []
  processor.run('busy', () => work(2))
  for (let n = 0; n < 10; n++) processor.admit('many', () => undefined)
  processor.run('many', () => void done.push('many'))
  processor.run('few', () => void done.push('few'))
  yieldToEventLoop()
  await new Promise(setImmediate)
  t.same(done, ['few', 'many'])
})

t.test(
  'a subject that used much while another one is there rests: its work and its requests wait, those of the other do not',
  async (t) => {
    const clock = createManualClock()
    const processor = processorOf(clock)
    const done: string[] = []
    const todo = (name: string, ms: number) =>
      processor.run(name.charAt(0), () => {
        clock.work(ms)
        done.push(name)
      })
    todo('light 1', 1)
    await clock.turn()
    todo('busy 1', 30)
    await clock.turn()
    todo('busy 2', 1)
    processor.admit('b', () => void done.push('busy request'))
    processor.admit('l', () => void done.push('light request'))
    todo('light 2', 1)
    await clock.turn()
    t.same(done, ['light 1', 'busy 1', 'light request', 'light 2'])
    await clock.advance(48)
    t.equal(done.length, 4, 'it rests still')
    await clock.advance(2)
    t.same(done.slice(4), ['busy 2'], 'what was begun comes first')
    await clock.advance(10)
    t.same(done.slice(5), ['busy request'])
  }
)

t.test('a subject alone has its requests let in at once, however much it uses', async (t) => {
  const { clock, work } = createWorkingClock()
  const processor = processorOf(clock)
  let entered = 0
  for (let n = 0; n < 100; n++) {
    processor.run('a', () => work(50))
    processor.admit('a', () => void (entered += 1))
  }
  t.equal(entered, 100)
})

/** Work of `ms` pieces of one millisecond. */
function* piecesOf(ms: number, work: (ms: number) => void): Generator<void, number, void> {
  for (let n = 0; n < ms; n++) {
    work(1)
    yield
  }
  return ms
}

/** Runs iterations of the event loop, with all that promises lead to, until `isOver`. */
async function iterate(yieldToEventLoop: () => void, isOver: () => boolean): Promise<void> {
  for (let n = 0; n < 10_000 && !isOver(); n++) {
    yieldToEventLoop()
    await new Promise(setImmediate)
  }
}

t.test('more long work than can be done by its deadline: what came first is done, in all parts of its job', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  const deadline = new AbortController()
  const done: number[] = []
  let settled = 0
  const inParts = async (job: number): Promise<void> => {
    const ends = AbortSignal.any([deadline.signal])
    for (let part = 0; part < 2; part++) await processor.takePieces('a', piecesOf(100, work), ends)
    done.push(job)
  }
  const jobs = Array.from({ length: 20 }, (_, job) =>
    inParts(job)
      .catch(() => undefined)
      .then(() => (settled += 1))
  )
  // All together take 4 s.
  await iterate(yieldToEventLoop, () => clock.monotonicMs() >= 2_500)
  deadline.abort()
  await iterate(yieldToEventLoop, () => settled === 20)
  await Promise.all(jobs)
  t.ok(done.length >= 4, `${String(done.length)} of 20`)
  t.same(
    done,
    [...done].sort((a, b) => a - b)
  )
})

t.test('short work of a subject does not wait for its long work', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  for (let n = 0; n < 20; n++) void processor.takePieces('a', piecesOf(1_000, work))
  await iterate(yieldToEventLoop, () => clock.monotonicMs() >= 2_000)
  const begunAtMs = clock.monotonicMs()
  let isDone = false
  void processor.takePieces('a', piecesOf(10, work)).then(() => (isDone = true))
  await iterate(yieldToEventLoop, () => isDone)
  t.ok(clock.monotonicMs() - begunAtMs <= 100, `${String(clock.monotonicMs() - begunAtMs)} ms`)
})

t.test('long work that is given up while it waits for earlier work is rejected at once, and the rest goes on', async (t) => {
  const { clock, work, yieldToEventLoop } = createWorkingClock()
  const processor = processorOf(clock)
  const results = Array.from({ length: 8 }, () => processor.takePieces('a', piecesOf(500, work)))
  await iterate(yieldToEventLoop, () => clock.monotonicMs() >= 800)
  const caller = new AbortController()
  let hasEnded = false
  const last = processor.takePieces('a', piecesOf(500, work), caller.signal).catch((error: unknown) => {
    hasEnded = true
    return error instanceof Error && error.name
  })
  await iterate(yieldToEventLoop, () => clock.monotonicMs() >= 1_200)
  caller.abort()
  const abortedAtMs = clock.monotonicMs()
  await iterate(yieldToEventLoop, () => hasEnded)
  t.equal(await last, 'AbortError')
  t.ok(clock.monotonicMs() - abortedAtMs <= 50)
  let isDone = false
  const all = Promise.all(results).then((values) => {
    isDone = true
    return values
  })
  await iterate(yieldToEventLoop, () => isDone)
  t.same(await all, Array<number>(8).fill(500))
})
