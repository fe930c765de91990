// A node whose memory is full of idle sessions, through the whole service, with little of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startService } from './support/real-service.js'

/** Memory limit of the process in MiB, of which some 10 are for actors: what 600 sessions take. */
const LIMIT_MB = '64'
/** A third more sessions than there is room for. */
const SESSIONS = 800
const CALLERS = 32

t.setTimeout(900_000)

async function fill(t: Test, env: Record<string, string>) {
  const { as } = await startService(t, { nodes: 1, env: { SERVICE_MEMORY_LIMIT_MB: LIMIT_MB, ...env } })
  const caller = await as('anna')
  const statuses: number[] = []
  let next = 0
  const run = async (): Promise<void> => {
    for (let n = next++; n < SESSIONS; n = next++) {
      const { status } = await caller.post('/v1/run', {
        session_id: `s${String(n)}`,
        message: `Crate ${String(n)} holds ${String(n)} figs.`
      })
      statuses.push(status)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, run))
  const { active_sessions: active } = (await caller.get('/v1/health')).body
  t.ok(Number(active) < SESSIONS, `some made way: ${String(active)} are left`)
  return { caller, statuses }
}

t.test('commands that come at once all find room on a full node, as idle sessions make way', async (t) => {
  const { statuses } = await fill(t, {})
  t.same(new Set(statuses), new Set([200]))
})

t.test('and those that made way come back', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'full-node-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const { caller, statuses } = await fill(t, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'sessions.db')}` })
  t.same(new Set(statuses), new Set([200]))
  for (const n of [0, 1, SESSIONS - 1]) {
    const { body } = await caller.get(`/v1/session/s${String(n)}/memories`)
    t.match(body, { memories: [{ text: `Crate ${String(n)} holds ${String(n)} figs.` }] })
  }
})
