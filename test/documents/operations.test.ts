/** Commands of the documents for operators, as printed, in a folder of their own. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
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
