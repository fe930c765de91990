import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { builtProgram } from '../support/built.js'
import { compiledProgram, programArgs } from '../support/program.js'
import { startServiceProcess } from '../torture/service-process.js'

/** Milliseconds for one example on a busy machine. */
const EXAMPLE_MS_MAX = 600_000
/** Slows time: a run waits at most a second for what other actors know, and a store as long for them to learn it. That may be too short. */
const unhurried = ['--import', pathToFileURL(await compiledProgram('test/support/slow-time.ts')).href] as const

const run = promisify(execFile)

async function outputOf(example: string, ...args: string[]): Promise<string> {
  const program = [...unhurried, ...programArgs(`examples/${example}.ts`), ...args]
  const { stdout } = await run(process.execPath, program, { timeout: EXAMPLE_MS_MAX })
  return stdout
}

t.test('the guarded session holds back two messages off its domain and lets them in when told', async (t) => {
  const output = await outputOf('guarded-session')
  t.equal(output.match(/^quarantined /gm)?.length, 2)
  t.equal(output.match(/^passed /gm)?.length, 3)
  t.match(output, 'Held back: 2 on the hold list, 3 memories')
  t.match(output, 'After release: 0 on the hold list, 5 memories')
  t.match(output, 'Under LOCKDOWN: blocked')
})

t.test('the coding assistant that is asked for a signature puts it into the context block byte for byte', async (t) => {
  const output = await outputOf('coding-assistant')
  t.ok(output.includes('createInvoice(\n  customerId: CustomerId,\n  lines: readonly InvoiceLine[],'))
  t.ok(output.includes('gives up after 8\t '), 'trailing blanks are kept')
  t.match(output, 'Removed config/payment%20gateway.yaml')
})

t.test(
  'the organisation, its agents and departments, shares four findings, realigns once and is reported, twice on one service',
  async (t) => {
    const service = await startServiceProcess([...unhurried, await builtProgram('src/main')], { SERVICE_UPDATE_THRESHOLD: '0.85' })
    t.teardown(() => service.kill())
    const { url } = service
    for (const output of [await outputOf('organisation'), await outputOf('organisation', url), await outputOf('organisation', `${url}/`)]) {
      t.match(output, '4 short circuits: 9 questions, 5 calls of the model')
      t.match(output, /^ada +asks the model +How do I disable two-factor login/m)
      t.match(output, 'The region saw 2 drift events, and realigned 1 time')
      t.match(output, /^The observer sampled 2 clusters of the region:\n- systemic_drift/m)
    }
  }
)
