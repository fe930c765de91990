// Kills the whole process under load, on every durable backend that can run here: everything acknowledged is present exactly once.
// TEST_KILLS sets the number of kills, TEST_SEED repeats the choices of a run; `npm run torture:kills` is the long form.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { builtProgram } from '../support/built.js'
import { needs, type ProgramName } from '../support/needs.js'
import { startPostgres } from '../support/postgres.js'
import { compiledProgram } from '../support/program.js'
import { startRedis } from '../support/redis-server.js'
import { type KillLoopResult, runKillLoop } from './kill-loop.js'
import type { FindingSort } from './verdict.js'

/** Number of kills per backend. */
const KILLS = Number(process.env['TEST_KILLS'] ?? 2)
const SEED = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32))
/** Most milliseconds for a kill, the restart and the comparison, on a busy machine. */
const ROUND_MS_MAX = 15_000
/** Most findings shown; the history has them all. */
const FINDINGS_SHOWN = 10

type Env = Readonly<Record<string, string>>

interface Backend {
  readonly name: string
  readonly needs: readonly ProgramName[]
  open(t: Test, directory: string): Promise<Env>
}

const BACKENDS: readonly Backend[] = [
  { name: 'sqlite', needs: [], open: async (_, directory) => sqliteIn(directory) },
  {
    name: 'postgres',
    needs: ['initdb'],
    async open(t) {
      const server = await startPostgres()
      t.teardown(() => server.stop())
      return { SERVICE_STATE_PERSIST: '1', DATABASE_URL: await server.createDatabase() }
    }
  },
  {
    name: 'redis',
    needs: ['redis-server'],
    async open(t) {
      const server = await startRedis()
      t.teardown(() => server.stop())
      return { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url }
    }
  }
]

const [service, faultyService] = [await builtProgram('src/main'), await compiledProgram('test/torture/faulty-service.ts')]
t.setTimeout((KILLS + 10) * ROUND_MS_MAX * BACKENDS.length)

for (const { name, needs: programs, open } of BACKENDS) {
  t.test(`${name}: the process killed under load ${KILLS} times loses and doubles nothing`, needs(...programs), async (t) => {
    const directory = await mkdtemp(join(tmpdir(), `kills-${name}-`))
    const env = await open(t, directory)
    const history: object[] = []
    const result = await runKillLoop({ program: [service], env, kills: KILLS, seed: SEED, note: (line) => history.push(line) }).catch(
      async (error: unknown) => {
        await leave(t, directory, history)
        throw error
      }
    )
    t.comment(`${name}: ${summaryOf(result)}`)
    t.strictSame(result.findings.slice(0, FINDINGS_SHOWN), [])
    t.strictSame(result.complaints, [], 'no error in the log')
    t.ok(result.acknowledged > result.kills, 'there were acknowledged writes to look for')
    if (t.passing()) await rm(directory, { recursive: true })
    else await leave(t, directory, history)
  })
}

t.test('a storage that acknowledges before it wrote is found to lose', async (t) => {
  const tally = await tallyOf(t, 'early')
  t.ok(tally.lost > 0)
  t.equal(tally.doubled, 0)
})

t.test('a storage that writes memories twice is found to double', async (t) => {
  const tally = await tallyOf(t, 'twice')
  t.ok(tally.doubled > 0)
  t.equal(tally.lost, 0)
})

async function tallyOf(t: Test, fault: string): Promise<Record<FindingSort, number>> {
  const directory = await mkdtemp(join(tmpdir(), `kills-${fault}-`))
  t.teardown(() => rm(directory, { recursive: true }))
  return tally(
    await runKillLoop({ program: [faultyService, fault], env: sqliteIn(directory), kills: 1, seed: SEED, note: () => undefined })
  )
}

function summaryOf(result: KillLoopResult): string {
  const { kills, killsAtReading, operations, acknowledged, unknown, unansweredDone } = result
  const counts = Object.entries(tally(result)).map(([sort, count]) => `${count} ${sort}`)
  return (
    `${kills} kills under load and ${killsAtReading} at reading back, ${operations} writes, ${acknowledged} acknowledged, ` +
    `${unknown} without an answer of which ${unansweredDone} had happened, ${counts.join(', ')}, seed ${SEED}`
  )
}

/** Writes the history to a file beside the data, which is kept as well. */
async function leave(t: Test, directory: string, history: readonly object[]): Promise<void> {
  const path = join(directory, 'history.jsonl')
  await writeFile(path, history.map((line) => `${JSON.stringify(line)}\n`).join(''))
  t.comment(`history: ${path}`)
}

function tally({ findings }: KillLoopResult): Record<FindingSort, number> {
  const counts: Record<FindingSort, number> = { lost: 0, doubled: 0, returned: 0, torn: 0, foreign: 0, miscounted: 0 }
  for (const { sort, count } of findings) counts[sort] += count
  return counts
}

function sqliteIn(directory: string): Env {
  return { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(directory, 'sessions.db')}` }
}
