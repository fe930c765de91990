import t from 'tap'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const

const WORDS = Array.from({ length: 20 }, (_, at) => `word ${String(at)}`)

/** Starts an evicted actor of twenty rows, each of which takes 1.5 ms to read back; two of them use up a time slice. */
async function startEvicted(idle: { readonly idleTtlMs?: number; readonly sweepMs?: number } = {}) {
  const clock = createManualClock()
  const seen = { rows: 0, rowsATurn: [] as number[], restored: 0, ended: 0, disposed: 0 }
  let isSlow = false
  const runtime = await startRuntime({
    clock,
    ...idle,
    reading() {
      if (!isSlow) return
      seen.rows += 1
      clock.work(1.5)
    },
    restored: () => void (seen.restored += 1),
    ended: () => void (seen.ended += 1),
    disposed: () => void (seen.disposed += 1)
  })
  for (const word of WORDS) await runtime.ask('long', append(word))
  await runtime.ask('other', append('kept'))
  await runtime.catalog.passivate('tester', ['long'])
  await settled()
  seen.disposed = 0
  isSlow = true
  async function turns(count: number): Promise<void> {
    for (let given = 0; given < count; given++) {
      const before = seen.rows
      await clock.turn()
      seen.rowsATurn.push(seen.rows - before)
    }
  }
  /** Runs iterations of the event loop until the work is settled. */
  async function through<Result>(work: Promise<Result>): Promise<Result> {
    const progress = { isOver: false }
    const over = () => (progress.isOver = true)
    work.then(over, over)
    while (!progress.isOver && seen.rowsATurn.length < 100) await turns(1)
    return work
  }
  return { ...runtime, seen, turns, through }
}

t.test('a long record is read back in turns, and others are answered in between', async (t) => {
  const { ask, seen, through } = await startEvicted()
  const long = ask('long', READ)
  await settled()
  t.equal(seen.rows, 2, 'the first turn')
  t.same(await through(ask('other', READ)), { words: ['kept'] })
  t.ok(seen.rows < WORDS.length, 'it was answered before the end')
  t.same(await through(long), { words: WORDS })
  t.equal(Math.max(...seen.rowsATurn), 2)
  t.ok(seen.rowsATurn.length >= 9)
})

t.test('commands that come while a record is read back wait for it and run in their order', async (t) => {
  const { ask, turns, through, seen } = await startEvicted()
  const first = ask('long', append('first'))
  await turns(2)
  const second = ask('long', append('second'))
  t.same(await through(first), { words: [...WORDS, 'first'] })
  t.same(await through(second), { words: [...WORDS, 'first', 'second'] })
  t.equal(seen.restored, 1)
})

t.test('a deadline that passes while a record is read back ends the command and not the reading', async (t) => {
  const { ask, through, seen } = await startEvicted()
  const late = codeOf(ask('long', append('late'), 10))
  const patient = ask('long', append('patient'))
  t.same(await through(patient), { words: [...WORDS, 'patient'] })
  t.equal(await late, 'deadline_passed')
  t.equal(seen.restored, 1)
})

t.test('a sweep while a record is read back evicts nothing that somebody waits for', async (t) => {
  const { ask, turns, through, catalog } = await startEvicted({ idleTtlMs: 1, sweepMs: 5 })
  const long = ask('long', READ)
  await turns(3)
  await catalog.passivate('tester', ['long'])
  t.same(catalog.activeIds('tester'), [], 'the other one was swept')
  t.same(await through(long), { words: WORDS })
})

t.test('a shutdown while a record is read back refuses what waits and puts the actor away at the end', async (t) => {
  const { ask, turns, through, catalog, seen } = await startEvicted()
  const waiting = codeOf(ask('long', READ))
  await turns(2)
  await through(catalog.passivateAll())
  t.equal(await waiting, 'draining')
  t.equal(catalog.activeCount, 0)
  t.equal(seen.disposed, 2, 'this one, and the other')
})

t.test('a fence while a record is read back ends the reading, and the next command begins it anew', async (t) => {
  const { ask, turns, through, catalog, seen } = await startEvicted()
  const waiting = codeOf(ask('long', READ))
  await turns(2)
  const { rows } = seen
  catalog.fence()
  t.equal(await waiting, 'fenced')
  await turns(2)
  t.match(seen, { rows, ended: 1, restored: 0, disposed: 1 }, 'nothing more is read; the other one was fenced too')
  t.same(await through(ask('long', READ)), { words: WORDS })
})
