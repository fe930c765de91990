/** A command that would create a record, and is refused, leaves none behind. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { keyedRequestId } from '../../../src/domain/request-keys.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import type { ListCommand } from '../../support/list-behaviour.js'
import { codeOf, type RuntimeOptions, startRuntime } from '../../support/runtime.js'

const ADDRESS = { kind: 'session', subject: 'tester', id: 'a' } as const
const YES: ListCommand = { type: 'list.append', word: 'yes' }
const NO: ListCommand = { type: 'list.append', word: 'no' }

function refuse(command: ListCommand): null {
  if ('word' in command && command.word === 'no') throw new DomainError('memory_full', 'Session is full')
  return null
}

/** Where a command is refused. */
const PLACES: Readonly<Record<string, RuntimeOptions>> = {
  step: { stepping: refuse },
  preparation: { prepare: async (command) => void refuse(command) },
  'preparation, beside other nodes': { prepare: async (command) => void refuse(command), isShared: true }
}

for (const [place, options] of Object.entries(PLACES)) {
  t.test(`a command that is refused in its ${place} creates nothing`, async (t) => {
    const { ask, storage } = await startRuntime(options)
    const [refused, read] = [codeOf(ask('a', NO)), codeOf(ask('a', { type: 'list.read' }))]
    t.equal(await refused, 'memory_full')
    t.equal(await read, 'session_missing', 'what came behind it finds none')
    t.equal(await storage.peek(ADDRESS), null)
    t.equal(await codeOf(ask('a', { type: 'list.read' })), 'session_missing')
    t.strictSame(await ask('a', YES), { words: ['yes'] })
    t.equal(await codeOf(ask('a', NO)), 'memory_full')
    t.strictSame(await ask('a', { type: 'list.read' }), { words: ['yes'] }, 'a record that another command has made stays')
  })
}

t.test('what waits behind a command that would create a record is done once that is refused', async (t) => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const prepare = async (command: ListCommand) => {
    if ('word' in command && command.word === 'no') await held
  }
  const { ask, clock, storage } = await startRuntime({ prepare, stepping: refuse })
  const refused = codeOf(ask('a', NO))
  const read = codeOf(ask('a', { type: 'list.read' }))
  const written = ask('a', YES)
  await clock.advance(10)
  t.equal(await storage.peek(ADDRESS), null)
  release()
  t.equal(await refused, 'memory_full')
  t.equal(await read, 'session_missing')
  t.strictSame(await written, { words: ['yes'] })
  t.strictSame(await ask('a', { type: 'list.read' }), { words: ['yes'] })
})

t.test('a refused creation with a key may be tried again, and earlier keys stay known', async (t) => {
  let isFull = true
  const { askActor } = await startRuntime({ stepping: (command) => (isFull ? refuse(command) : null) })
  const keyed = (key: string, command: ListCommand) =>
    askActor(ADDRESS, command, { deadlineMs: 10_000, requestId: keyedRequestId({ subject: 'tester', sessionId: 'a', key }, command) })
  await keyed('before', YES)
  await askActor(ADDRESS, { type: 'list.delete' }, { deadlineMs: 10_000 })
  t.equal(await codeOf(keyed('k', NO)), 'memory_full')
  isFull = false
  t.equal(await codeOf(keyed('before', YES)), 'answer_gone')
  t.strictSame(await keyed('k', NO), { words: ['no'] })
  t.strictSame(await keyed('k', NO), { words: ['no'] })
})

t.test('a record that others keep making and removing is tried three times', async (t) => {
  const memory = createMemoryStorage({ retains: true })
  let tries = 0
  const create = async () => {
    tries += 1
    return null
  }
  const { ask } = await startRuntime({ storage: { ...memory, create } })
  t.equal(await codeOf(ask('a', YES)), 'fenced')
  t.equal(tries, 3)
})
