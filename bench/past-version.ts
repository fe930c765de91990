/**
 * Keeps what a past version has written, for the tests of upgrades: `npm run bench:past -- COMMIT NAME` takes the code of that commit from
 * git, runs it over SQLite, tells it a story, and writes the database and an export of one session into test/upgrades. Once a version, when
 * it is the last one.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { STORY } from '../test/upgrades/story.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = fileURLToPath(new URL('../test/upgrades/', import.meta.url))

const [commit = '', name = ''] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'past-'))
try {
  const code = join(folder, 'code')
  mkdirSync(code)
  execFileSync('tar', ['-x', '-C', code], { input: execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 }) })
  symlinkSync(join(ROOT, 'node_modules'), join(code, 'node_modules'))
  const database = join(folder, 'records.db')
  const exported = await tellStory(code, database)
  writeFileSync(join(FOLDER, `${name}.db.gz`), gzipSync(readFileSync(database), { level: 9 }))
  writeFileSync(join(FOLDER, `${name}.export.json.gz`), gzipSync(exported, { level: 9 }))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Resolves with the export of the first session, once the service has ended and the database is one file. */
async function tellStory(code: string, database: string): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: code,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SERVICE_ALLOW_ANONYMOUS: '1',
      SERVICE_EMBEDDER: 'lexical',
      SERVICE_PORT: '0',
      SERVICE_COMPLIANCE: '1',
      SERVICE_STATE_PERSIST: '1',
      DATABASE_URL: `sqlite:${database}`
    }
  })
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      if (line.includes('"msg":"listening"')) resolve((JSON.parse(line) as { url: string }).url)
    })
    child.once('exit', (code) => reject(new Error(`The service ended with ${String(code)}`)))
  })
  let last = ''
  for (const { method, path, body } of STORY) {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    last = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${last}`)
  }
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
  return last
}
