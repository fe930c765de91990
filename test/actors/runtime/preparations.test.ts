import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { settled } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const append = (word: string) => ({ type: 'list.append', word }) as const

t.test('a preparation that is given up with its actor answers nobody: the next activation prepares its command anew', async (t) => {
  let reads = 0
  const { ask, clock } = await startRuntime({
    prepare: async (command, signal) => {
      if (command.type !== 'list.read' || ++reads > 1) return
      await new Promise((_, givenUp) => signal.addEventListener('abort', () => givenUp(new DomainError('busy', 'Given up'))))
    }
  })
  await ask('a', append('one'))
  const read = ask('a', { type: 'list.read' })
  const crash = codeOf(ask('a', { type: 'list.crash' }))
  await settled()
  await clock.advance(10)
  t.equal(await crash, 'internal')
  t.same(await read, { words: ['one'] })
  t.equal(reads, 2)
})
