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

t.test('a repeated request that cannot be prepared for what its first try did meanwhile is answered as that was', async (t) => {
  const gates = [0, 1].map(() => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => (open = resolve))
    return { opened, open }
  })
  let tries = 0
  const { askActor, clock } = await startRuntime({
    isShared: true,
    async prepare({ type }) {
      if (type !== 'list.append') return
      const at = tries++
      await gates[at]?.opened
      if (at === 1) throw new DomainError('limit_reached', 'It is there')
    }
  })
  const address = { kind: 'session', subject: 'tester', id: 'a' } as const
  await askActor(address, { type: 'list.create' }, { deadlineMs: 1_000 })
  const [first, repeated] = [false, true].map((isRepeated) =>
    askActor(address, append('one'), { deadlineMs: 1_000, requestId: 'same', isRepeated })
  )
  await settled()
  for (const { open } of gates) {
    open()
    await clock.advance(10)
  }
  t.strictSame([await first, await repeated], [{ words: ['one'] }, { words: ['one'] }])
  t.equal(tries, 2)
})
