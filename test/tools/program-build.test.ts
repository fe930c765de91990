import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { buildPrograms } from '../../src/tools/program-build.js'
import { createVectorArena } from '../../src/vectors/arena.js'
import { createScanHelper, type HelperMessage } from '../../src/vectors/scan-helper.js'
import { writeTinyBert } from '../support/tiny-bert.js'
import { until } from '../support/until.js'

const PACKAGES = dirname(dirname(createRequire(import.meta.url).resolve('libsql')))
/** Matches the last package in a path. */
const PACKAGE_NAME = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/
/** Drivers, models, traces, tools and documentation: loaded where they are first used. */
const ON_DEMAND =
  /^(?:@modelcontextprotocol\/|@opentelemetry\/(?!api$)|@statelyai\/|@xenova\/|zod|ioredis|kysely|libsql|mongodb|nats|onnxruntime|pg$|redoc|swagger-ui)/
const folder = await mkdtemp(join(tmpdir(), 'programs-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))
// With the packages beside it, as in an image.
await symlink(PACKAGES, join(folder, 'node_modules'))
const { outputs } = await buildPrograms(dirname(PACKAGES), join(folder, 'dist/'))

async function listening(env: Readonly<Record<string, string>>): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [join(folder, 'dist/src/main.js')], {
    env: { PATH: process.env['PATH'] ?? '', SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string }
    if (msg === 'listening' && url !== undefined) return { child, url }
  }
  throw new Error('the process ended before it listened')
}

/** Packages that are loaded before the first line of a program runs, bundled or beside it. */
function packagesAtStart(program: string): Set<string> {
  const packages = new Set<string>()
  const read = new Set<string>()
  const follow = (path: string): void => {
    const output = outputs[path]
    if (output === undefined) packages.add(path)
    if (output === undefined || read.has(path)) return
    read.add(path)
    for (const input of Object.keys(output.inputs)) packages.add(PACKAGE_NAME.exec(input)?.[1] ?? '')
    for (const { path: imported, kind } of output.imports) if (kind !== 'dynamic-import') follow(imported)
  }
  follow(Object.keys(outputs).find((path) => path.endsWith(program)) ?? '')
  return packages
}

t.test('built programs: a start reads no package that only some configurations or requests need', async (t) => {
  for (const program of ['src/main.js', 'src/cli/engram.js']) {
    const packages = packagesAtStart(program)
    t.ok(packages.has(program === 'src/main.js' ? 'fastify' : 'commander'), program)
    const needless = [...packages].filter((name) => ON_DEMAND.test(name))
    t.strictSame(needless, [], program)
  }
})

t.test('built programs: the service finds its model, its database and its documentation where the sources would', async (t) => {
  const models = join(folder, 'models')
  writeTinyBert(models, 'Xenova/all-MiniLM-L6-v2')
  const { child, url } = await listening({
    SERVICE_EMBEDDER: 'transformers',
    SERVICE_MODEL_DIR: models,
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `sqlite:${join(folder, 'records.db')}`
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ready = await fetch(`${url}/v1/readyz`)
  t.match(await ready.json(), { ready: true, checks: { database: 'ok', embedder: 'ok' } })
  const run = await fetch(`${url}/v1/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session_id: 'first', message: 'Where does the river rise?' })
  })
  t.equal(run.status, 200)
  for (const path of ['/docs', '/redoc', '/openapi.json']) {
    const page = await fetch(url + path)
    // An unread body would keep the service from ending.
    await page.arrayBuffer()
    t.equal(page.status, 200, path)
  }
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

t.test('built programs: the thread that helps with searches scans', async (t) => {
  const worker = new Worker(join(folder, 'dist/src/vectors/scan-main.js'))
  const start = () => ({ post: (message: HelperMessage) => worker.postMessage(message), close: () => worker.terminate() })
  const helper = createScanHelper({ logger: { error: () => t.fail('it ended') }, bytesMin: 0, start })
  t.teardown(() => helper.close())
  const arena = createVectorArena(helper)
  const slab = arena.take(16)
  slab.write(1, new Float32Array(16).fill(127))
  const job = arena.announce([slab], { numbers: new Int16Array(16).fill(1), unit: 1 }, 2)
  await until(() => job?.found(0) !== null)
  const { similarities = [], greatest = [] } = job?.found(0) ?? {}
  t.same([...similarities, ...greatest], [0, 127 * 16, 127 * 16])
})

t.test('built programs: the command that verifies audit trails reads the same database', async (t) => {
  const child = spawn(process.execPath, [join(folder, 'dist/src/cli/engram.js'), 'verify-audit'], {
    env: { SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` },
    stdio: ['ignore', 'ignore', 'pipe']
  })
  let error = ''
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()))
  t.strictSame(await once(child, 'close'), [1, null])
  t.equal(error, 'No audit trail was found.\n', 'it was opened, and nothing in it is audited')
})
