import t from 'tap'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { settled } from '../../support/manual-clock.js'
import { startRuntime } from '../../support/runtime.js'
import { unlimitedBudget } from '../../support/unlimited-budget.js'

const append = (word: string) => ({ type: 'list.append', word }) as const

t.test(
  'the body of a command from another node counts as memory until the command is answered, and that of a client elsewhere',
  async (t) => {
    const storage = gated(createMemoryStorage({ retains: true }))
    const budget = unlimitedBudget()
    const { ask, catalog } = await startRuntime({ storage, budget })
    await ask('a', append('first'))
    const bytes = () => budget.held().find(({ kind }) => kind === 'request')?.weight.heap ?? 0
    const address = { kind: 'session', subject: 'tester', id: 'a' } as const
    for (const isForeign of [true, false]) {
      storage.hold('commit')
      const asked = {
        address,
        command: append('x'.repeat(500)),
        requestId: String(isForeign),
        deadlineMs: 1_000,
        isInner: false,
        isForeign
      }
      const answered = catalog.deliver(asked)
      await settled()
      t.equal(bytes() >= 500, isForeign)
      storage.open('commit')
      await answered
      t.equal(bytes(), 0)
    }
  }
)

t.test('rows that an actor lets go of count as memory for as long as an answer may refer to them', async (t) => {
  const budget = unlimitedBudget()
  const { ask } = await startRuntime({ budget })
  const bytes = () => budget.held().find(({ kind }) => kind === 'let_go')?.weight.heap ?? 0
  await ask('a', append('x'.repeat(500)))
  const end = budget.openLease({ kind: 'session', subject: 'tester', id: 'a' })
  await ask('a', { type: 'list.clear' })
  t.ok(bytes() >= 500)
  end()
  t.equal(bytes(), 0)
})
