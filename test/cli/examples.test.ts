/** The examples in the help of each command, as a reader types them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Command } from 'commander'
import t from 'tap'
import { createProgram } from '../../src/cli/program.js'
import { builtProgram } from '../support/built.js'
import { startListening } from '../support/command-line-service.js'
import { LATE_OPTIMISING } from '../support/program.js'

/** Beginnings of examples that need what a test does not have. */
const ELSEWHERE = {
  'DATABASE_URL=postgres://…': 'a server of its own',
  'NATS_URL=nats://init': 'a server of its own',
  'engram model pull': 'the hub of models'
}

/** The lines below `Examples:`, in the order of the definitions. */
function examplesOf(command: Command): string[] {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) })
  command.outputHelp()
  const [, lines = ''] = /\nExamples?:\n((?: {2}.*\n?)+)/.exec(help) ?? []
  return [
    ...lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    ...command.commands.flatMap(examplesOf)
  ]
}

interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Runs an example. A service that it starts is ended once it listens. */
async function typed(example: string, { cwd, env }: Place): Promise<{ code: number | null; output: string }> {
  const script = `set -eo pipefail; fpath=(- "$PWD"); ${example}`
  const child = spawn('bash', ['-c', script], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (text: string): void => {
    output += text
    if (output.includes('"msg":"listening"') && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

t.test('help: each example that needs nothing from elsewhere works as it is printed', async (t) => {
  const cwd = t.testdir({
    bin: {},
    'mem0.json': '{"results": [{"id": "1", "memory": "Anna lives in Lisbon", "user_id": "anna"}]}',
    'history.json': '[{"type": "human", "data": {"content": "We fly to Lisbon in May"}}]'
  })
  mkdirSync(join(cwd, '.config/fish/completions'), { recursive: true })
  const scripts = {
    engram: `exec '${process.execPath}' ${LATE_OPTIMISING.join(' ')} '${await builtProgram('src/cli/engram')}' "$@"`,
    jq: 'exec cat'
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(cwd, 'bin', name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(cwd, 'bin', name), 0o755)
  }
  const service = await startListening(t, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(cwd, 'engram.db')}` })
  await service.caller.post('/v1/run', { session_id: 'anna', message: 'We fly to Lisbon in May.' })
  const env = { PATH: `${join(cwd, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: cwd, SERVICE_PORT: '0', ...service.env }
  const examples = examplesOf(createProgram())
  t.ok(examples.length > 15, `${String(examples.length)} examples`)
  for (const example of examples) {
    const isElsewhere = Object.keys(ELSEWHERE).some((begin) => example.startsWith(begin))
    if (isElsewhere) continue
    const { code, output } = await typed(example, { cwd, env })
    const isServed = example.includes('engram serve')
    // The signal ends the shell itself as well.
    t.ok(isServed ? output.includes('"msg":"listening"') : code === 0, `${example}\n${output}`)
  }
  for (const begin of Object.keys(ELSEWHERE))
    t.ok(
      examples.some((example) => example.startsWith(begin)),
      begin
    )
})
