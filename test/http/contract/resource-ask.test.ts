import t from 'tap'
import type { AskOptions } from '../../../actors/asking/ask.js'
import { createAsks } from '../../../src/http/contract/resource-ask.js'
import { DomainError } from '../../../src/domain/errors.js'
import { totalOf, type Weight } from '../../../src/domain/fairness/weight.js'

const BYTES = 5_000_000
const METRICS = { type: 'session.metrics' } as const

/** An ask by a caller that records what its answer holds, or refuses it, to a node that answers in parts. */
function askFrom(holds: (weight: Weight) => void) {
  const caller = {
    subject: 'alice',
    id: 'r',
    trace: null,
    answerShares: { holds, leaseRecord: () => undefined, releaseBody: () => undefined }
  }
  const ask = async (_address: unknown, _command: unknown, options?: AskOptions): Promise<never> => {
    options?.largeAnswer?.(BYTES)
    return { metrics: 'of another node' } as never
  }
  return createAsks(ask).askSession(caller, 's', METRICS)
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

t.test('what is asked is answered within half a minute, under its request and in its trace', async (t) => {
  const asked: unknown[] = []
  const { askSession: ask } = createAsks(async (address, _command, options) => {
    asked.push(address, options)
    return {} as never
  })
  await ask({ subject: 'alice', id: 'r', trace: 'of alice' }, 's', METRICS)
  await ask({ subject: 'bob', id: 'q', trace: null }, 's', METRICS)
  t.strictSame(asked, [
    { kind: 'session', subject: 'alice', id: 's' },
    { deadlineMs: 30_000, requestId: 'r', largeAnswer: undefined, trace: 'of alice' },
    { kind: 'session', subject: 'bob', id: 's' },
    { deadlineMs: 30_000, requestId: 'q', largeAnswer: undefined, trace: undefined }
  ])
})

t.test('what is answered with rows of a session keeps the session in memory meanwhile, and nothing else does', async (t) => {
  const kept: unknown[] = []
  const caller = {
    subject: 'alice',
    id: 'r',
    trace: null,
    answerShares: { holds: () => undefined, leaseRecord: (address: unknown) => void kept.push(address), releaseBody: () => undefined }
  }
  const { askSession: ask } = createAsks(async () => ({}) as never)
  await ask(caller, 's', METRICS)
  t.same(kept, [])
  const referring = [
    { type: 'session.export' },
    { type: 'session.verify', testEmbeddings: [], tolerance: 0 },
    { type: 'session.search', topK: 1, explain: false, filter: {} },
    { type: 'session.context', topK: 1, fullFirst: false, maxTextChars: 1 },
    { type: 'session.memory', hash: 'h' },
    { type: 'memory.list', limit: 1, filter: {} },
    { type: 'entity.list', query: '', maxResults: 1 }
  ] as const
  for (const command of referring) await ask(caller, 's', command)
  t.strictSame(
    kept,
    referring.map(() => ({ kind: 'session', subject: 'alice', id: 's' }))
  )
})
