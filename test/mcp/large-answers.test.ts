// What tools read and answer is counted while it comes, bounded, and charged to their caller.
import t from 'tap'
import { createNodeBudget } from '../../actors/weight/node-budget.js'
import { totalOf, type Weight } from '../../src/domain/fairness/weight.js'
import type { MemoryShares } from '../../src/http/contract/contracts.js'
import { inOneGo } from '../../src/domain/pieces.js'
import { createRig } from '../support/http-rig.js'

const MIB = 1024 * 1024
const HEADERS = { accept: 'application/json, text/event-stream' }

/** A page of `count` memories, each of 100,000 letters. */
function pageOf(count: number) {
  return {
    memories: Array.from({ length: count }, (_, at) => ({
      memoryHash: String(at).padStart(32, '0'),
      memoryId: `id-${String(at)}`,
      text: '가'.repeat(100_000),
      importance: 0.5,
      accessCount: 0,
      timestamp: 0,
      tier: 'short_term',
      role: 'user',
      userId: null,
      pinned: false
    })),
    next: 'more'
  }
}

/** A budget whose work may take `bytes`, and the most that its answers took at once and at a time. */
function createBudget(bytes: number) {
  const all = { heap: Infinity, total: Infinity }
  const budget = createNodeBudget({
    clock: { after: () => () => undefined },
    counters: { count: () => undefined },
    isDurable: true,
    actors: all,
    work: { heap: bytes, total: bytes }
  })
  const wanted: number[] = []
  const memory: MemoryShares = {
    openLease: budget.openLease,
    openHold(kind, subject) {
      const hold = budget.openHold(kind, subject)
      const take = (weight: Weight): void => {
        if (kind === 'answer') wanted.push(totalOf(weight))
        hold.take(weight)
      }
      return { ...hold, take }
    }
  }
  return { memory, wanted, held: () => budget.held().reduce((sum, { weight }) => sum + totalOf(weight), 0) }
}

const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'list_memories', arguments: { session_id: 's', limit: 100, max_text_chars: 100_000 } }
})

interface Result {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: { readonly memories: readonly { readonly text: string }[]; readonly next_cursor: string }
}

t.test('a tool stops reading an answer for which there is no memory, and what it had read is released', async (t) => {
  const { memory, wanted, held } = createBudget(4 * MIB)
  const { app, token } = await createRig({ memory, intercept: ({ type }) => (type === 'memory.list' ? pageOf(40) : undefined) })
  t.teardown(() => app.close())
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { ...HEADERS, authorization: `Bearer ${await token('alice')}` },
    payload: Array.from({ length: 20 }, (_, id) => call(id))
  })
  const results = answer.json<{ result: Result }[]>().map(({ result }) => result)
  t.equal(results.length, 20)
  t.ok(results.every(({ isError }) => isError))
  t.match(results[0]?.content[0]?.text, /too little memory|is busy/)
  // A page has 12 MB. No call took more of it than one chunk beyond what there was.
  t.ok(Math.max(...wanted) < MIB, `${Math.max(...wanted)} bytes at a time`)
  t.equal(held(), 0)
})

t.test('one result holds as many long texts as a model reads, and the next page begins behind them', async (t) => {
  const { app, token } = await createRig({ intercept: ({ type }) => (type === 'memory.list' ? pageOf(40) : undefined) })
  t.teardown(() => app.close())
  const headers = { ...HEADERS, authorization: `Bearer ${await token('alice')}` }
  const answer = await app.inject({ method: 'POST', url: '/mcp', headers, payload: call(1) })
  const { structuredContent } = answer.json<{ result: Result }>().result
  t.equal(structuredContent?.memories.length, 4)
  t.equal(structuredContent?.next_cursor, 'id-3')
})

t.test('each message of a batch is charged as a request, in order and in a turn of its own', async (t) => {
  let admitted = 0
  const turns: string[] = []
  const { app, token } = await createRig({
    admit(subject, goOn) {
      t.equal(subject, 'alice')
      admitted += 1
      setImmediate(goOn)
    },
    async takePieces(subject, work) {
      turns.push(subject)
      return inOneGo(work)
    }
  })
  t.teardown(() => app.close())
  const headers = { ...HEADERS, authorization: `Bearer ${await token('alice')}` }
  const payload = Array.from({ length: 50 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  const answer = await app.inject({ method: 'POST', url: '/mcp', headers, payload })
  t.strictSame(
    answer.json<{ id: number }[]>().map(({ id }) => id),
    payload.map(({ id }) => id)
  )
  t.ok(admitted >= 50, `${admitted} admissions`)
  t.ok(turns.length >= 50, `${turns.length} turns`)
})
