import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { exitCodeOf, StartError } from '../../src/composition/start-refusal.js'
import { readConfig } from '../../src/config.js'
import { createService } from '../../src/service.js'
import { DatabaseError } from '../../src/storage/sql/database-error.js'
import { type VariableName, variables } from '../../src/variables.js'
import { builtProgram } from '../support/built.js'
import { startNatsServer } from '../support/nats-server.js'
import { needs } from '../support/needs.js'
import { startPostgres } from '../support/postgres.js'
import { LATE_OPTIMISING } from '../support/program.js'
import { startRedis } from '../support/redis-server.js'

/** EX_CONFIG and EX_UNAVAILABLE of sysexits.h: the value is wrong, or what it names is currently unavailable. */
const WRONG = 78
const ABSENT = 69

const SECRET = 'hidden-word'
const LEAST = { SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical', SERVICE_PORT: '0', SERVICE_LOG_LEVEL: 'fatal' }
const folder = t.testdir({ 'no-database': SECRET, 'no-folder': '', folder: {} })
const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()
writeFileSync(join(folder, 'rsa.pem'), rsaKey)

interface Ended {
  readonly code: number
  readonly said: string
}

/** Runs the program with these settings until it ends by itself. */
async function started(env: Readonly<Record<string, string>>): Promise<Ended> {
  const args = [...LATE_OPTIMISING, await builtProgram('src/main')]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...LEAST, ...env }, cwd: folder, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: stdout + stderr })
    })
  })
}

/** The same without a process: the exit code and the output that the program would have. */
async function tried(t: Test, env: Readonly<Record<string, string>>): Promise<Ended> {
  const logs: string[] = []
  const written = t.capture(process.stderr, 'write', () => true)
  try {
    const config = readConfig({ ...LEAST, ...env })
    const service = await createService(config, { logDestination: { write: (line: string) => void logs.push(line) } })
    t.teardown(() => service.close())
    return { code: 0, said: await service.listen() }
  } catch (error) {
    const printed = written().map(({ args: [text] }) => String(text))
    return { code: exitCodeOf(error), said: [...logs, ...printed, error instanceof Error ? error.message : ''].join('\n') }
  }
}

/** Checks that the output is one line that names the variable, but neither its value nor a place in the code. */
function checkRefusal(t: Test, { code, said }: Ended, variable: VariableName, expected: number): void {
  t.equal(code, expected, said)
  t.match(said, new RegExp(`^${variable} `, 'm'))
  t.notMatch(said, SECRET, 'no secret')
  t.notMatch(said, /^ +at |\.[jt]s:\d/m, 'no stack trace')
}

const keyed = (key: string) => ({ SERVICE_ALLOW_ANONYMOUS: '0', SERVICE_LICENSE_PUBLIC_KEY: key })
const sql = (url: string) => ({ SERVICE_STATE_PERSIST: '1', DATABASE_URL: url })
const redis = (url: string) => ({ SERVICE_SESSION_BACKEND: 'redis', REDIS_URL: url })
const mongo = (url: string) => ({ SERVICE_SESSION_BACKEND: 'mongo', MONGO_URL: url })
const nats = (url: string) => ({ SERVICE_CLUSTER_MEMORY: '1', NATS_URL: url })

/** Well-formed values of variables with which the program still cannot start. */
const CASES: readonly (readonly [VariableName, string, Readonly<Record<string, string>>, number])[] = [
  ['SERVICE_LICENSE_PUBLIC_KEY', 'no key and no file', keyed(SECRET), WRONG],
  ['SERVICE_LICENSE_PUBLIC_KEY', 'a folder', keyed(join(folder, 'folder')), WRONG],
  ['SERVICE_LICENSE_PUBLIC_KEY', 'a device without an end', keyed('/dev/zero'), WRONG],
  ['SERVICE_LICENSE_PUBLIC_KEY', 'a file without a key', keyed(join(folder, 'no-database')), WRONG],
  ['SERVICE_LICENSE_PUBLIC_KEY', 'a private key', keyed(privateKey), WRONG],
  ['SERVICE_LICENSE_PUBLIC_KEY', 'a key of another kind', keyed(join(folder, 'rsa.pem')), WRONG],
  ['SERVICE_LICENSE_PUBLIC_KEY', 'half a JWK', keyed(`{"kty": "${SECRET}`), WRONG],
  ['SERVICE_HOST', 'an address of another machine', { SERVICE_HOST: '192.0.2.1' }, WRONG],
  ['SERVICE_HOST', 'a name that cannot be one', { SERVICE_HOST: 'a..b' }, WRONG],
  ['SERVICE_MODEL_DIR', 'a file', { SERVICE_MODEL_DIR: join(folder, 'no-folder') }, WRONG],
  ['DATABASE_URL', 'a port that is none', sql(`postgres://me:${SECRET}@localhost:99999/x`), WRONG],
  ['DATABASE_URL', 'a server that is not there', sql(`postgres://me:${SECRET}@127.0.0.1:1/x`), ABSENT],
  ['DATABASE_URL', 'a folder that is not there', sql(`sqlite:${folder}/${SECRET}/x.db`), WRONG],
  ['DATABASE_URL', 'a folder', sql(`sqlite:${folder}`), WRONG],
  ['DATABASE_URL', 'a file that is no database', sql(`sqlite:${folder}/no-database`), WRONG],
  ['REDIS_URL', 'a port that is none', redis(`redis://:${SECRET}@localhost:99999`), WRONG],
  ['REDIS_URL', 'a database that is no number', redis(`redis://127.0.0.1:1/${SECRET}`), WRONG],
  ['REDIS_URL', 'a server that is not there', redis(`redis://:${SECRET}@127.0.0.1:1`), ABSENT],
  ['MONGO_URL', 'a port that is none', mongo(`mongodb://me:${SECRET}@localhost:99999/x`), WRONG],
  ['MONGO_URL', 'a server that is not there', mongo(`mongodb://me:${SECRET}@127.0.0.1:1/x`), ABSENT],
  ['NATS_URL', 'a port that is none', nats(`nats://me:${SECRET}@localhost:99999`), WRONG],
  ['NATS_URL', 'a user that is not encoded', nats(`nats://%zz:${SECRET}@localhost:4222`), WRONG],
  ['NATS_URL', 'a server that is not there', nats(`nats://me:${SECRET}@127.0.0.1:1`), ABSENT]
]

/** Cases run as programs: missing servers of each storage and of NATS, whose clients may print and wait on their own, and one value. */
const isProgram = (variable: VariableName, code: number) => code === ABSENT || variable === 'SERVICE_MODEL_DIR'

for (const [variable, what, env, code] of CASES) {
  t.test(`start: a ${variable} that names ${what} is refused by name`, async (t) => {
    checkRefusal(t, isProgram(variable, code) ? await started(env) : await tried(t, env), variable, code)
  })
}

t.test(
  'what SQLite could not read, write or lock at the start may do at the next one; what it does not know as its own will not',
  async (t) => {
    const codeOf = (code: string) => exitCodeOf(new StartError('DATABASE_URL', new DatabaseError(code, { isRefusal: false })))
    for (const code of ['SQLITE_IOERR_SHMOPEN', 'SQLITE_IOERR', 'SQLITE_BUSY_RECOVERY', 'SQLITE_FULL']) t.equal(codeOf(code), ABSENT, code)
    for (const code of ['SQLITE_CANTOPEN', 'SQLITE_NOTADB', 'SQLITE_READONLY']) t.equal(codeOf(code), WRONG, code)
  }
)

t.test('a frequent code is explained, and any other stands alone', async (t) => {
  const sentence = (code: string) => new StartError('DATABASE_URL', new DatabaseError(code, { isRefusal: false })).message
  t.match(sentence('3D000'), /: there is no database of this name \(3D000\)$/)
  t.match(sentence('28P01'), /: its name or password is refused \(28P01\)$/)
  t.match(sentence('ECONNREFUSED'), /: nobody listens at its address \(ECONNREFUSED\)$/)
  t.match(sentence('EHOSTUNREACH'), /: its address does not answer \(EHOSTUNREACH\)$/)
  t.match(sentence('DEPTH_ZERO_SELF_SIGNED_CERT'), /: the certificate of its server is not accepted \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/)
  t.match(sentence('XX000'), /work \(XX000\)$/)
})

t.test('start: a SERVICE_PORT in use is refused by name', async (t) => {
  const holder = createServer().listen(0, '127.0.0.1')
  t.teardown(() => holder.close())
  await new Promise((resolve) => holder.once('listening', resolve))
  checkRefusal(t, await started({ SERVICE_PORT: String((holder.address() as AddressInfo).port) }), 'SERVICE_PORT', ABSENT)
})

t.test('start: a REDIS_URL of a server that evicts or wants another password is refused by name', needs('redis-server'), async (t) => {
  const evicting = await startRedis(['--maxmemory', '8mb', '--maxmemory-policy', 'allkeys-lru'])
  const closed = await startRedis(['--requirepass', 'another'])
  t.teardown(() => Promise.all([evicting.stop(), closed.stop()]))
  checkRefusal(t, await tried(t, redis(evicting.url)), 'REDIS_URL', WRONG)
  checkRefusal(t, await tried(t, redis(closed.url.replace('//', `//:${SECRET}@`))), 'REDIS_URL', WRONG)
})

t.test('start: a DATABASE_URL of a server without that database is refused by name', needs('initdb'), async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  const url = new URL(await server.createDatabase())
  url.pathname = `/${SECRET}`
  checkRefusal(t, await tried(t, sql(url.href)), 'DATABASE_URL', WRONG)
})

t.test('start: a NATS_URL of a server without JetStream is refused by name', needs('nats-server'), async (t) => {
  const server = await startNatsServer({ hasJetStream: false })
  t.teardown(() => server.stop())
  checkRefusal(t, await tried(t, nats(server.url)), 'NATS_URL', WRONG)
})

/** Malformed values of each variable that has a form. */
const MALFORMED: Readonly<Partial<Record<VariableName, string>>> = {
  SERVICE_HOST: 'two words',
  SERVICE_PORT: '65536',
  SERVICE_ALLOWED_HOSTS: 'a/b',
  SERVICE_ALLOW_ANONYMOUS: 'yes',
  SERVICE_SESSION_BACKEND: 'disk',
  REDIS_URL: SECRET,
  MONGO_URL: SECRET,
  DATABASE_URL: SECRET,
  NATS_URL: SECRET,
  SERVICE_NODE_ID: 'n 1',
  SERVICE_CLUSTER_MEMORY: 'yes',
  SERVICE_WORKERS: '0',
  SERVICE_STATE_PERSIST: 'yes',
  SERVICE_MAX_SESSIONS: '0',
  SERVICE_MAX_SESSIONS_PER_SUBJECT: '-1',
  SERVICE_MAX_BYTES_PER_SUBJECT: '-1',
  SERVICE_SUBJECT_CONCURRENCY: '0',
  SERVICE_SESSION_IDLE_TTL_S: '0',
  SERVICE_SESSION_SWEEP_S: '0',
  SERVICE_EMBEDDER: 'openai',
  SERVICE_EMBEDDING_URL: `http://${SECRET}:99999`,
  SERVICE_EMBEDDING_API_KEY: `${SECRET}\n`,
  SERVICE_RATE_LIMIT_PER_MINUTE: '-1',
  SERVICE_DRIFT_THRESHOLD: '1.1',
  SERVICE_UPDATE_THRESHOLD: '1.1',
  SERVICE_CONTEXT_TOKENS: '31',
  SERVICE_BODY_LIMIT_BYTES: '1023',
  SERVICE_IMPORT_LIMIT_BYTES: '1023',
  SERVICE_MAX_MEMORIES: '0',
  SERVICE_MAX_SESSION_BYTES: '65535',
  SERVICE_MEMORY_LIMIT_MB: '63',
  SERVICE_UPSTREAM_URL: `http://${SECRET}:99999`,
  SERVICE_UPSTREAM_API_KEY: `${SECRET}\n`,
  SERVICE_DEBUG_UI: 'yes',
  SERVICE_DEBUG_TRACE: 'yes',
  SERVICE_DEBUG_RING: '0',
  SERVICE_COMPLIANCE: 'yes',
  METRICS_USER: `${SECRET}:`,
  METRICS_PASSWORD: `${SECRET}\n`,
  CORS_ALLOW_ORIGINS: 'nowhere',
  SERVICE_LOG_LEVEL: 'loud',
  SERVICE_MCP: 'yes',
  OTEL_EXPORTER_OTLP_ENDPOINT: `ftp://${SECRET}`,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `ftp://${SECRET}`,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  OTEL_SDK_DISABLED: 'yes'
}

/** Variables that accept any text; the key is tested above. */
const ANY_TEXT: readonly VariableName[] = ['SERVICE_LICENSE_PUBLIC_KEY', 'SERVICE_MODEL_DIR']

t.test('start: with every variable malformed at once, each is named in a line of its own', async (t) => {
  const { said, code } = await started({ ...MALFORMED, SERVICE_STATE_PERSIST: '1' })
  t.equal(code, WRONG)
  const named = said
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0])
  const expected = (Object.keys(variables.properties) as VariableName[]).filter(
    (name) => !ANY_TEXT.includes(name) && name !== 'SERVICE_STATE_PERSIST'
  )
  t.strictSame(
    expected.filter((name) => !named.includes(name)),
    []
  )
  t.strictSame(
    Object.keys(MALFORMED).filter((name) => !(name in variables.properties)),
    []
  )
  t.notMatch(said, SECRET)
  checkRefusal(t, await tried(t, { SERVICE_STATE_PERSIST: 'yes' }), 'SERVICE_STATE_PERSIST', WRONG)
})
