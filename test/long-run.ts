/** Starts the long form of a test, such as `npm run torture`: the test with the environment variables that make it long. */
import process from 'node:process'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'

interface LongRun {
  /** Defaults of environment variables. */
  readonly variables: Readonly<Record<string, string>>
  /** Help lines about further environment variables. */
  readonly told: readonly string[]
  readonly begin: () => Promise<unknown>
}

const TORTURE = ['TORTURE_BACKENDS=NAME,…', 'TORTURE_FAULTS=NAME,…', 'TORTURE_SEED=N (repeats its choices)']

const RUNS: Readonly<Record<string, LongRun>> = {
  'model:exactly-once': {
    variables: { MODEL_BOUNDS: 'large' },
    told: [],
    begin: () => import('./exactly-once/model.test.js')
  },
  'torture:kills': {
    variables: { TEST_KILLS: '200' },
    told: ['TEST_SEED=N (repeats its choices)'],
    begin: () => import('./torture/kills.test.js')
  },
  'torture:late': {
    variables: { TORTURE_ROUNDS: '100' },
    told: TORTURE,
    begin: () => import('./torture/nodes/late.test.js')
  },
  torture: {
    variables: { TORTURE_OPERATIONS: '20000' },
    told: [...TORTURE, 'TORTURE_DIR=FOLDER (of the histories)'],
    begin: () => import('./torture/nodes/nodes.test.js')
  }
}

const [name = ''] = process.argv.splice(2, 1)
const run = RUNS[name]
if (run === undefined) refuseArguments('tsx test/long-run.ts NAME', `NAME is one of ${Object.keys(RUNS).join(', ')}`)
const defaults = Object.entries(run.variables).map(([variable, value]) => `${variable}=${value} (the default)`)
readArguments([`npm run ${name}`, 'Variables of the environment:', ...defaults, ...run.told].join('\n  '), {})
for (const [variable, value] of Object.entries(run.variables)) process.env[variable] ??= value
await run.begin()
