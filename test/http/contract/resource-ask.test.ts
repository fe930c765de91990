import t from 'tap'
import type { AskOptions } from '../../../actors/asking/ask.js'
import { createAskSession } from '../../../src/http/contract/resource-ask.js'
import { DomainError } from '../../../src/domain/errors.js'
import { totalOf, type Weight } from '../../../src/domain/weight.js'

const BYTES = 5_000_000

/** A caller that notes what its answer holds, or refuses it, and another node that answers in parts. */
function askFrom(holds: (weight: Weight) => void) {
  const caller = {
    subject: 'alice',
    id: 'r',
    answerShares: { holds, refersTo: () => undefined, letGoOfBody: () => undefined }
  }
  const ask = async (_address: unknown, _command: unknown, options?: AskOptions): Promise<never> => {
    options?.largeAnswer?.(BYTES)
    return { metrics: 'of another node' } as never
  }
  return createAskSession(ask)(caller, 's', { type: 'session.metrics' })
}

t.test('an answer that another node sends in parts counts three times its length', async (t) => {
  const held: Weight[] = []
  t.same(await askFrom((weight) => void held.push(weight)), { metrics: 'of another node' })
  t.same(held.map(totalOf), [3 * BYTES])
})

t.test('an answer that another node sends in parts is refused where there is no memory for it', async (t) => {
  const refused = askFrom(() => {
    throw new DomainError('memory_exhausted', 'The node is full')
  })
  await t.rejects(refused, { code: 'memory_exhausted' })
})
