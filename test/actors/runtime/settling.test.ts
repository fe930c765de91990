import t from 'tap'
import type { Pieces } from '../../../src/domain/pieces.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import type { ListCommand, ListReply } from '../../support/list-behaviour.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { through } from '../../support/pieces-through.js'
import { startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const
const READ = { type: 'list.read' } as const
const PIECES = 30

/** Starts actors with much work before a command of type `of`: pieces of 1.5 ms each, two of which use up a time slice. */
async function startSettling({ of = 'list.read', isFailing = false } = {}) {
  const clock = createManualClock()
  const seen = { left: 0, atOnce: [] as number[], prepareMs: 0 }
  function* work(): Pieces<void> {
    while (seen.left > 0) {
      seen.left -= 1
      clock.work(1.5)
      yield
      if (isFailing) throw new Error('cannot be divided')
    }
  }
  const prepare = async () => clock.work(seen.prepareMs)
  const runtime = await startRuntime({ clock, prepare, settle: (next) => (next?.type === of && seen.left > 0 ? work() : null) })
  await runtime.ask('long', append('one'))
  return { ...runtime, clock, seen, through: <Result>(asked: Promise<Result>) => through(clock, seen, asked) }
}

t.test('what is left to do before a step is done in turns, and others are answered in between', async (t) => {
  const { ask, seen, through } = await startSettling()
  seen.left = PIECES
  const read = ask('long', READ)
  await settled()
  t.equal(PIECES - seen.left, 2, 'the first turn')
  t.same(await through(ask('other', append('kept'))), { words: ['kept'] })
  t.ok(seen.left > 0, 'it was answered before the end')
  t.same(await through(read), { words: ['one'] })
  t.equal(seen.left, 0)
  t.equal(Math.max(...seen.atOnce), 2)
})

t.test('commands that wait for what is left to do run in the order they came', async (t) => {
  const { ask, seen, through } = await startSettling({ of: 'list.append' })
  seen.left = PIECES
  const asked = ['two', 'three', 'four'].map((word) => ask('long', append(word)))
  for (const [at, answer] of asked.entries()) t.same(await through(answer), { words: ['one', 'two', 'three', 'four'].slice(0, at + 2) })
})

t.test('a command that nothing is left to do for waits for those before it, as it came', async (t) => {
  const { ask, seen, through } = await startSettling({ of: 'list.append' })
  seen.left = PIECES
  const two = ask('long', append('two'))
  await settled()
  t.same(await through(ask('long', READ)), { words: ['one', 'two'] })
  t.same(await two, { words: ['one', 'two'] })
})

t.test('commands whose turn had come wait for what is left to do before the first of them', async (t) => {
  const { ask, seen, through } = await startSettling({ of: 'list.append' })
  // Each uses up its time slice before it is ready, so that all wait for the next one.
  seen.prepareMs = 10
  seen.left = PIECES
  const asked = [ask('long', append('two')), ask('long', READ), ask('long', append('three'))]
  t.same(await through(Promise.all(asked)), [{ words: ['one', 'two'] }, { words: ['one', 'two'] }, { words: ['one', 'two', 'three'] }])
})

t.test('what cannot be done in pieces is left to the step', async (t) => {
  const { ask, seen, through } = await startSettling({ isFailing: true })
  seen.left = PIECES
  t.same(await through(ask('long', READ)), { words: ['one'] })
})

t.test('what a step leaves to do is done after it, in turns, unless it has removed the record', async (t) => {
  const asked: string[] = []
  const clock = createManualClock()
  function* work(): Pieces<void> {
    for (let piece = 0; piece < 3; piece++) {
      asked.push('piece')
      clock.work(3)
      yield
    }
  }
  let isToDo = false
  const { ask } = await startRuntime({
    clock,
    settle(next) {
      if (next !== null || !isToDo) return null
      isToDo = false
      return work()
    }
  })
  await ask('list', append('one'))
  isToDo = true
  await ask('list', append('two'))
  for (let turn = 0; turn < 5; turn++) await clock.turn()
  t.same(asked, ['piece', 'piece', 'piece'])
  isToDo = true
  await ask('list', { type: 'list.delete' })
  for (let turn = 0; turn < 5; turn++) await clock.turn()
  t.equal(asked.length, 3)
})

/** Lets this actor's deadline pass while another actor works, after that many iterations of the event loop. */
async function passDeadline(iterations: number, isLong: boolean) {
  const clock = createManualClock()
  function* work(): Pieces<void> {
    for (let piece = 0; piece < 6; piece++) {
      clock.work(3)
      yield
    }
  }
  const isWork = (word: string) => word === 'busy' || (isLong && word === 'late')
  const storage = createMemoryStorage({ retains: true })
  const stepping = (command: ListCommand) => ('word' in command && isWork(command.word) ? work() : null)
  const { ask } = await startRuntime({ clock, storage, stepping })
  const words = async (asked: Promise<ListReply>): Promise<string> => {
    const answers: string[] = []
    asked.then(
      ({ words: list }) => answers.push(list.join()),
      () => answers.push('refused')
    )
    for (let turn = 0; turn < 50 && answers.length === 0; turn++) await clock.turn()
    return answers[0] ?? 'no answer'
  }
  await words(ask('list', append('first')))
  const busy = ask('other', append('busy'))
  await settled()
  const late = ask('list', append('late'), 60)
  await settled()
  for (let turn = 0; turn < iterations; turn++) await clock.turn()
  clock.work(100)
  const answered = await words(late)
  await words(busy)
  const known = await words(ask('list', READ))
  const other = await startRuntime({ clock, storage })
  return { answered, known, stored: await words(other.ask('list', READ)) }
}

t.test('a command whose deadline passes while it waits is done as a whole or not at all, and the next one is answered', async (t) => {
  const ends = new Set<string>()
  for (const isLong of [false, true]) {
    for (let iterations = 0; iterations < 6; iterations++) {
      const { answered, known, stored } = await passDeadline(iterations, isLong)
      t.equal(known, stored, `${isLong ? 'long' : 'short'}, after ${iterations} iterations`)
      t.ok(known === 'first,late' || (known === 'first' && answered === 'refused'), known)
      ends.add(known)
    }
  }
  t.strictSame([...ends].sort(), ['first', 'first,late'], 'both were among them')
})
