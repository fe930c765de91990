/**
 * Stores data written by a past version, for the tests of upgrades. `npm run bench:past -- COMMIT NAME` checks out that commit, runs a
 * story over SQLite, PostgreSQL, Redis and a stand-in for MongoDB, and writes the databases and an export of one session into
 * test/upgrades. Run once per version, when it is the latest. With `--servers` it writes only the databases of the servers.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { BSON, MongoClient } from 'mongodb'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'
import { startMongoStandIn } from '../test/support/mongo-stand-in.js'
import { findProgram } from '../test/support/needs.js'
import { startPostgres } from '../test/support/postgres.js'
import { askRedis, startRedis } from '../test/support/redis-server.js'
import { until } from '../test/support/until.js'
import { STORY } from '../test/upgrades/story.js'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = fileURLToPath(new URL('../test/upgrades/', import.meta.url))

/** Makes the rewritten log a list of commands that tests can send, without each key's history. */
const COMMANDS_ALONE = ['--aof-use-rdb-preamble', 'no', '--auto-aof-rewrite-percentage', '0']

const MONGO_COLLECTIONS = ['records', 'rows', 'tombstones', 'audit', 'audit_ends']

const USAGE = `npm run bench:past -- COMMIT NAME [--servers]
  COMMIT    the version whose databases are kept
  NAME      what their files are called
  --servers the databases of the servers alone`
const { values, positionals } = readArguments(USAGE, { allowPositionals: true, options: { servers: { type: 'boolean', default: false } } })
const [commit, name] = positionals
if (commit === undefined || name === undefined) refuseArguments(USAGE, 'COMMIT or NAME is not given')
const folder = mkdtempSync(join(tmpdir(), 'past-'))
try {
  const code = join(folder, 'code')
  mkdirSync(code)
  execFileSync('tar', ['-x', '-C', code], { input: execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 28 }) })
  symlinkSync(join(ROOT, 'node_modules'), join(code, 'node_modules'))
  if (!values.servers) {
    const database = join(folder, 'records.db')
    keep('export.json', await tellStory(code, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${database}` }))
    keep('db', readFileSync(database))
  }
  keep('postgres.sql', await postgresDump(code))
  keep('redis.aof', await redisCommands(code))
  keep('mongo.json', await mongoDocuments(code))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function keep(ending: string, contents: string | Buffer): void {
  writeFileSync(join(FOLDER, `${name}.${ending}.gz`), gzipSync(contents, { level: 9 }))
}

/** Removes what only psql understands. */
async function postgresDump(code: string): Promise<string> {
  const server = await startPostgres()
  try {
    const url = await server.createDatabase()
    await tellStory(code, { SERVICE_STATE_PERSIST: '1', DATABASE_URL: url })
    const program = join(dirname(findProgram('initdb') ?? ''), 'pg_dump')
    const dump = execFileSync(program, ['--inserts', '--no-owner', '--no-privileges', '--no-comments', url]).toString('utf8')
    return dump.replaceAll(/^\\.*\n/gm, '')
  } finally {
    await server.stop()
  }
}

async function redisCommands(code: string): Promise<Buffer> {
  const server = await startRedis(COMMANDS_ALONE)
  try {
    await tellStory(code, { SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: server.url })
    await askRedis(server, 'BGREWRITEAOF')
    await until(async () => !/aof_rewrite_(in_progress|scheduled):1/.test(await askRedis(server, 'INFO persistence')))
    const logs = join(server.directory, 'appendonlydir')
    const [, base = ''] = /^file (\S+) .*type b$/m.exec(readFileSync(join(logs, 'appendonly.aof.manifest'), 'utf8')) ?? []
    return readFileSync(join(logs, base))
  } finally {
    await server.stop()
  }
}

/** Returns the documents of each collection, as extended JSON. */
async function mongoDocuments(code: string): Promise<string> {
  const server = await startMongoStandIn()
  const client = new MongoClient(server.url)
  try {
    await tellStory(code, { SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: server.url })
    const found = MONGO_COLLECTIONS.map(async (name) => [name, await client.db().collection(name).find({}).toArray()] as const)
    return BSON.EJSON.stringify(Object.fromEntries(await Promise.all(found)), { relaxed: false })
  } finally {
    await client.close()
    await server.kill()
  }
}

/** Resolves with the export of the first session, once the service has ended and all its data is written. */
async function tellStory(code: string, storage: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: code,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      SERVICE_ALLOW_ANONYMOUS: '1',
      SERVICE_EMBEDDER: 'lexical',
      SERVICE_PORT: '0',
      SERVICE_COMPLIANCE: '1',
      ...storage
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
