import t from 'tap'
import type { Pieces } from '../../../src/domain/pieces.js'
import type { ListCommand } from '../../support/list-behaviour.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { through } from '../../support/pieces-through.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const
const PIECES = 30

/** Starts actors that append `long` in pieces of 1.5 ms each, two of which use up a time slice. */
async function startStepping() {
  const clock = createManualClock()
  const seen = { left: PIECES, atOnce: [] as number[], ended: 0 }
  function* work(): Pieces<void> {
    let isWhole = false
    try {
      while (seen.left > 0) {
        seen.left -= 1
        clock.work(1.5)
        yield
      }
      isWhole = true
    } finally {
      if (!isWhole) seen.ended += 1
    }
  }
  const isLong = (command: ListCommand): boolean =>
    command.type === 'list.crash' || (command.type === 'list.append' && command.word === 'long')
  const runtime = await startRuntime({ clock, stepping: (command) => (isLong(command) ? work() : null) })
  await runtime.ask('a', append('one'))
  return { ...runtime, clock, seen, through: <Result>(asked: Promise<Result>) => through(clock, seen, asked) }
}

t.test('a long step goes on in turns, others are answered in between, and nothing of its own actor runs before its end', async (t) => {
  const { ask, seen, through } = await startStepping()
  const long = ask('a', append('long'))
  const read = ask('a', READ)
  await settled()
  t.equal(PIECES - seen.left, 2, 'the first turn')
  t.same(await through(ask('b', append('kept'))), { words: ['kept'] })
  t.ok(seen.left > 0, 'it was answered before the end')
  t.same(await through(read), { words: ['one', 'long'] })
  t.same(await long, { words: ['one', 'long'] })
  t.equal(seen.left, 0)
  t.equal(Math.max(...seen.atOnce), 2)
})

t.test('a step that has begun is not refused for its deadline: it may have changed something', async (t) => {
  const { ask, clock, seen, through, storage } = await startStepping()
  const long = ask('a', append('long'), 1_000)
  const answered = codeOf(long)
  await settled()
  await clock.advance(1_000)
  await through(ask('a', READ))
  t.equal(seen.left, 0)
  await answered
  const record = await storage.activate({ kind: 'session', subject: 'tester', id: 'a' })
  t.same(
    record?.rows.map(({ body }) => body),
    ['one', 'long']
  )
})

t.test('a long step that fails ends its actor, and only its caller is told', async (t) => {
  const { ask, seen, through } = await startStepping()
  const crash = codeOf(ask('a', { type: 'list.crash' }))
  const read = ask('a', READ)
  await settled()
  t.ok(seen.left > 0 && seen.left < PIECES)
  t.equal(await through(crash), 'internal')
  t.same(await through(read), { words: ['one'] }, 'as it was stored')
})

t.test('a long step is ended with its actor, and another owner may run it', async (t) => {
  const { ask, catalog, seen, clock, storage } = await startStepping()
  const long = codeOf(ask('a', append('long')))
  await settled()
  catalog.fence()
  t.equal(await long, 'fenced')
  await clock.turn()
  await settled()
  t.equal(seen.ended, 1)
  const left = seen.left
  await clock.turn()
  t.equal(seen.left, left, 'nothing goes on')
  const record = await storage.activate({ kind: 'session', subject: 'tester', id: 'a' })
  t.same(
    record?.rows.map(({ body }) => body),
    ['one']
  )
})
