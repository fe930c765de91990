import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)

async function outputOf(example: string): Promise<string> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', `examples/${example}.ts`], { timeout: 60_000 })
  return stdout
}

t.test('the guarded session, two messages off its domain, holds them back and lets them in when told', async (t) => {
  const output = await outputOf('guarded-session')
  t.equal(output.match(/^quarantined /gm)?.length, 2)
  t.equal(output.match(/^passed /gm)?.length, 3)
  t.match(output, 'Held back: 2 on the hold list, 3 memories')
  t.match(output, 'After release: 0 on the hold list, 5 memories')
  t.match(output, 'Under LOCKDOWN: blocked')
})

t.test('the coding assistant, asked for a signature, puts it into the context block byte for byte', async (t) => {
  const output = await outputOf('coding-assistant')
  t.ok(output.includes('createInvoice(\n  customerId: CustomerId,\n  lines: readonly InvoiceLine[],'))
  t.ok(output.includes('gives up after 8\t '), 'trailing blanks are kept')
  t.match(output, 'Removed config/payment%20gateway.yaml')
})
