/** Commands of the documents for operators, as printed, in a folder of their own. */
import { execFile } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { builtProgram } from '../support/built.js'
import { startListening } from '../support/command-line-service.js'
import { codeBlocks, markdownFiles } from './markdown-files.js'

const execute = promisify(execFile)
const program = await builtProgram('src/cli/engram')

/** The only block of a document that needs this. */
function blockOf(path: string, needed: string): string {
  const text = markdownFiles().find((file) => file.path === path)?.text ?? ''
  const [block, ...more] = codeBlocks(text).filter((candidate) => candidate.needs === needed)
  if (block === undefined || more.length > 0) throw new Error(`${path} has no single block that needs ${needed}`)
  return block.text
}

/** A folder in which `engram` is the program of this build. */
function folderWithProgram(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = t.testdir({ ...files, bin: {} })
  writeFileSync(join(folder, 'bin', 'engram'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 })
  return folder
}

async function typed(script: string, folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const path = [join(folder, 'bin'), process.env['PATH'] ?? ''].join(delimiter)
  const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { PATH: path, ...env },
    timeout: 60_000
  })
  return stdout
}

t.test('command line: memories of Hindsight become lines, and these a session', async (t) => {
  const { caller, env } = await startListening(t)
  const items = [{ id: '1', text: 'Alice works at Google', context: 'Work', date: '2024-01-15T10:30:00Z', type: 'world' }]
  const folder = folderWithProgram(t, { 'memories.json': JSON.stringify({ items, total: 1, limit: 100, offset: 0 }) })
  const said = await typed(blockOf('docs/cli.md', 'an export of Hindsight'), folder, env)
  t.match(said, '1 items became 1 memories in 1 session.')
  t.match((await caller.get('/v1/session/anna/memories')).body, {
    memories: [{ text: 'Alice works at Google', role: 'synthetic', timestamp: 1_705_314_600 }]
  })
})

t.test('backup: the commands for SQLite, beside the service that writes, and what they made is restored', async (t) => {
  const page = 'docs/operations/backup.md'
  const folder = folderWithProgram(t, {})
  const kept = (name: string) => ({ SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, name)}` })
  const { caller } = await startListening(t, kept('sessions.db'))
  await caller.post('/v1/run', { session_id: 'anna', message: 'We fly to Lisbon in May.' })
  t.match(await typed(blockOf(page, 'a SQLite file'), folder, {}), 'The backup is whole: 1 records')
  t.match(await typed(blockOf(page, 'a SQLite file and another'), folder, {}), '1 records and 0 audit entries were restored')
  t.match(await typed(blockOf(page, 'a SQLite file, hourly'), folder, {}), /"records":1,[^]*The backup is whole/)
  t.equal(readdirSync(folder).filter((name) => /^engram-\d{8}T\d{6}Z\.backup$/.test(name)).length, 1)
  const moved = await startListening(t, kept('moved.db'))
  t.match((await moved.caller.get('/v1/session/anna/memories')).body, { memories: [{ text: 'We fly to Lisbon in May.' }] })
})
