// How far the memory that one subject uses affects another one: through the whole service, with little memory.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type Caller, startService } from './support/real-service.js'

/** Memory limit of the process in MiB, of which some 10 are for actors. */
const LIMIT_MB = '64'

/** Memories per batch at first; batches get smaller as room runs out. Each memory has 64 KiB of vectors. */
const BATCH = 16

const SESSIONS = ['s0', 's1', 's2', 's3']

/** Content of a session of the other subject, some 200 KiB. */
const FACTS = Array.from({ length: 50 }, (_, n) => ({ text: `Ferry ${String(n)} to Lisbon leaves from berth ${String(n % 7)}.` }))

/** Fills the subject's sessions in turn, until the node accepts no more for any. */
async function fill(greedy: Caller): Promise<number> {
  let memories = 0
  for (let size = BATCH; size >= 1; size /= 2) {
    const open = new Set(SESSIONS)
    while (open.size > 0) {
      for (const id of open) {
        const batch = Array.from({ length: size }, (_, at) => ({
          text: `Crate ${String(memories + at)} of ${id} holds ${String(at)} figs.`
        }))
        const { status } = await greedy.post(`/v1/session/${id}/memories`, { memories: batch })
        if (status === 200) memories += size
        else open.delete(id)
      }
    }
  }
  return memories
}

/** Sends so many concurrent requests to each of its sessions. Returns a function that ends this. */
function keepBusy(greedy: Caller, requests: number): () => Promise<void> {
  let isOver = false
  const callers = Array.from({ length: requests }, () => SESSIONS)
    .flat()
    .map(async (id) => {
      while (!isOver) {
        await greedy.post(`/v1/session/${id}/search`, { query: 'figs of a lot' })
        // The service is in this process: without this, refusals may keep the event loop from going on.
        await yieldToEventLoop()
      }
    })
  return async () => {
    isOver = true
    await Promise.all(callers)
  }
}

async function statusesOf(caller: Caller, rounds: number): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < rounds; n++) {
    const id = `b${String(n)}`
    const created = await caller.post('/v1/session/create', { session_id: id })
    const stored = await caller.post(`/v1/session/${id}/memories`, { memories: FACTS })
    const run = await caller.post('/v1/run', { session_id: id, message: 'Where is the ferry to Lisbon?' })
    statuses.push(created.status, stored.status, run.status)
  }
  return statuses
}

/** Time limit in milliseconds: a busy machine takes several times as long as an idle one. */
t.setTimeout(900_000)

/** Returns the subject that fills the node, when both have been served. */
async function checkThatItKeepsNoOtherOut(t: Test, env: Record<string, string>): Promise<Caller> {
  // The memory of a node is its own.
  const { as } = await startService(t, { nodes: 1, env: { SERVICE_MEMORY_LIMIT_MB: LIMIT_MB, ...env } })
  const [greedy, quiet] = [await as('greedy'), await as('quiet')]
  for (const id of SESSIONS) await greedy.post('/v1/session/create', { session_id: id, dimension: 16_384 })
  const stop = keepBusy(greedy, 3)
  const memories = await fill(greedy)
  // More at first would have taken the room to fill.
  const stopMore = keepBusy(greedy, 4)
  t.ok(memories > 60, `it fills the node, with ${String(memories)} memories`)
  const statuses = await statusesOf(quiet, 10)
  await Promise.all([stop(), stopMore()])
  t.same(new Set(statuses), new Set([200]), statuses.join(' '))
  return greedy
}

t.test('a subject that fills the memory of a node and keeps it in use keeps no other out', async (t) => {
  // A session of it may be lost: all that use it are sometimes between an answer and the next request, and then it is idle.
  await checkThatItKeepsNoOtherOut(t, {})
})

t.test('nor where what is put away comes back, and it keeps what it has', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tenants-memory-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const env = { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'sessions.db')}` }
  const greedy = await checkThatItKeepsNoOtherOut(t, env)
  for (const id of SESSIONS) t.equal((await greedy.get(`/v1/metrics/${id}`)).status, 200, `it keeps ${id}`)
})
