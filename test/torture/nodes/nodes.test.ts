// Three nodes with clients on all of them, under faults: nothing acknowledged is lost, nothing is there twice, and every history is
// linearizable. TORTURE_OPERATIONS selects the long form: `npm run torture`.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import t, { type Test } from 'tap'
import { builtProgram } from '../../support/built.js'
import { skippedFor, whyNot } from '../../support/needs.js'
import { whyNoNamespaces } from '../../support/network-namespaces.js'
import { type BackendName, BACKENDS } from './backends.js'
import { measureFailOver } from './fail-over.js'
import { type FaultName, FAULTS } from './faults.js'
import { quantile } from './quantile.js'
import { runTorture, type TortureResult } from './torture-run.js'
import { countViolations } from './violation.js'

interface Scenario {
  readonly fault: FaultName
  readonly backend: BackendName
  readonly operations: number
  readonly strikes: number
}

const env = process.env
const SEED = Number(env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 32))
const LONG_OPERATIONS = Number(env['TORTURE_OPERATIONS'] ?? 0)
/** Short form: some hundred calls, which take a second, and as few faults as are useful. */
const SHORT: readonly Scenario[] = [
  { fault: 'kill', backend: 'postgres', operations: 500, strikes: 3 },
  { fault: 'rolling', backend: 'postgres', operations: 500, strikes: 1 },
  { fault: 'pause', backend: 'redis', operations: 500, strikes: 1 }
]
/** Fewest faults of a long run; a roll counts as three. */
const STRIKES = 20
const ROLLS = 7
/** Name of the fail-over measurement, beside the names of faults. */
const FAIL_OVER = 'fail-over'
/** Number of kills in the fail-over measurement. */
const FAIL_OVERS = 30
/** Most milliseconds for one run, on a busy machine. */
const RUN_MS_MAX = 900_000
/** Most violations shown; the history has them all. */
const SHOWN = 10

const scenarios = LONG_OPERATIONS === 0 ? SHORT : longScenarios()
t.setTimeout(RUN_MS_MAX * (scenarios.length + 2))
const program = [await builtProgram('src/main')] as const

const directory = env['TORTURE_DIR'] ?? (await mkdtemp(join(tmpdir(), 'torture-')))
await mkdir(directory, { recursive: true })
t.comment(`histories: ${directory}, seed ${SEED}`)

for (const scenario of scenarios) {
  const { fault, backend } = scenario
  const reason = whyNot('nats-server', ...BACKENDS[backend].needs) ?? (FAULTS[fault].lines === 'namespaces' ? whyNoNamespaces() : null)
  const name = `${fault} over ${backend}: what nodes acknowledged is there once, and no read is stale`
  t.test(name, skippedFor(reason), async (t) => {
    const history = join(directory, `${fault}-${backend}.jsonl`)
    const result = await runTorture({ ...scenario, program, seed: SEED, history })
    t.comment(`${backend} ${fault}: ${summaryOf(result)}, seed ${SEED}`)
    t.strictSame(result.violations.slice(0, SHOWN), [])
    t.strictSame(result.complaints.slice(0, SHOWN), [], 'no error in the log')
    t.ok(result.acknowledged > 0, 'there were acknowledged writes to look for')
    if (FAULTS[fault].isRolling) t.equal(result.failed, 0, `no request failed: ${JSON.stringify(result.problems)}`)
  })
}

if (LONG_OPERATIONS > 0 && (env['TORTURE_FAULTS'] ?? FAIL_OVER).split(',').includes(FAIL_OVER)) {
  await t.test('kills: how long clients wait for the sessions of the killed node', failOver)
}

async function failOver(t: Test): Promise<void> {
  for (const backend of chosen(Object.keys(BACKENDS) as BackendName[], env['TORTURE_BACKENDS'])) {
    const { waits, undisturbed, disturbed, disturbedFailures } = await measureFailOver({ program, backend, kills: FAIL_OVERS, seed: SEED })
    t.comment(
      `${backend} fail-over: ${waits.length} sessions of ${FAIL_OVERS} killed nodes, ${rangeOf(waits)}; sessions of other nodes ` +
        `${rangeOf(disturbed)} after a kill with ${disturbedFailures} failed, ${rangeOf(undisturbed)} without, seed ${SEED}`
    )
    t.ok(waits.length > 0, 'there were sessions to wait for')
  }
}

function rangeOf(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms`
}

t.teardown(async () => {
  if (t.passing() && env['TORTURE_DIR'] === undefined) await rm(directory, { recursive: true })
})

function longScenarios(): Scenario[] {
  const names = env['TORTURE_FAULTS']
    ?.split(',')
    .filter((name) => name !== FAIL_OVER)
    .join()
  const faults = names === '' ? [] : chosen(Object.keys(FAULTS) as FaultName[], names)
  const backends = chosen(Object.keys(BACKENDS) as BackendName[], env['TORTURE_BACKENDS'])
  return backends.flatMap((backend) =>
    faults.map((fault) => ({ fault, backend, operations: LONG_OPERATIONS, strikes: FAULTS[fault].isRolling ? ROLLS : STRIKES }))
  )
}

/** The names in the comma-separated `list`. Default: all. */
function chosen<Name extends string>(names: readonly Name[], list: string | undefined): Name[] {
  const wanted = list?.split(',') ?? names
  return wanted.map((name) => {
    const found = names.find((known) => known === name)
    if (found === undefined) throw new Error(`There is no ${name}, only ${names.join(', ')}`)
    return found
  })
}

function summaryOf(result: TortureResult): string {
  const { completed, acknowledged, unknown, refused, failed, strikes, p50Ms, p99Ms, durationS } = result
  const problems = JSON.stringify(result.problems)
  const found = Object.entries(countViolations(result.violations)).map(([sort, count]) => `${sort} ${count}`)
  return (
    `${completed} completed, ${acknowledged} acknowledged, ${unknown} unknown, ${refused} refused, ${failed} failed ${problems}, ` +
    `${found.join(', ')}, ${strikes} faults in ${Math.round(durationS)} s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`
  )
}
