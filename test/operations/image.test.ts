/**
 * The image without an engine: the Dockerfile's steps in folders of their own, and what comes out of them started. Run as written: every
 * COPY, ENV, USER (where the test may become somebody else), HEALTHCHECK and CMD, the build, and the installation of what runs in
 * production. Not run: the base image, and the installation of the build's tools, which are those that this test is run with.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t from 'tap'
import { newFolder } from '../runner/temporary-folder.js'
import { buildImage, type Stage } from '../support/dockerfile/dockerfile-run.js'
import { freePort } from '../support/free-port.js'
import { skippedFor } from '../support/needs.js'
import { until } from '../support/until.js'

const execute = promisify(execFile)

/** The image's user `node`. */
const USER_ID = 1000
const ROOT = process.cwd()

const BUILD_TOOLS = 'npm ci --no-audit --no-fund'

async function run(command: string, folder: string): Promise<void> {
  if (command === BUILD_TOOLS) return symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' }
  await execute('sh', ['-c', command], { cwd: folder, env, timeout: 240_000 })
}

/** Null where neither the cache nor the registry has what has to be installed. */
async function build(output: string): Promise<Stage | null> {
  try {
    return await buildImage({ dockerfile: 'Dockerfile', context: ROOT, output, run })
  } catch (error) {
    const isAway = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test((error as { stderr?: string }).stderr ?? '')
    if (isAway && process.env['CI'] !== 'true') return null
    throw error
  }
}

function start({ root, workdir, env, command, user }: Stage, own: Readonly<Record<string, string>>): ChildProcess {
  const [program = '', ...args] = command
  const isRoot = process.getuid?.() === 0
  return spawn(program, args, {
    cwd: join(root, workdir),
    env: { PATH: process.env['PATH'] ?? '', ...env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot && user === 'node' && { uid: USER_ID, gid: USER_ID })
  })
}

// Not at home, which may be closed to others.
const output = await newFolder(join(tmpdir(), 'engram-image-'))
t.teardown(() => rm(output, { recursive: true, force: true }))
const stage = await build(output)

t.test(
  'image: starts from its steps, is healthy by its own check, and ends in order',
  skippedFor(stage === null ? 'The registry cannot be reached' : null),
  async (t) => {
    if (stage === null) throw new Error('Not built')
    const port = String(await freePort())
    t.match(stage, { workdir: '/app', user: 'node', env: { NODE_ENV: 'production', SERVICE_HOST: '0.0.0.0', SERVICE_PORT: '8000' } })
    const child = start(stage, { SERVICE_PORT: port, SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical' })
    t.teardown(() => child.kill('SIGKILL'))
    const [program = '', ...args] = stage.healthCommand
    const isHealthy = () =>
      execute(program === 'node' ? process.execPath : program, args, { env: { ...stage.env, SERVICE_PORT: port } }).then(
        () => true,
        () => false
      )
    await until(isHealthy)
    const answer = await fetch(`http://127.0.0.1:${port}/v1/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ session_id: 'anna', message: 'My train to Lisbon leaves at nine.' })
    })
    t.match(await answer.json(), { session_id: 'anna', turn: 1 })
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    t.strictSame(await exited, [0, null])
  }
)

t.test(
  'image: holds what runs, and no tools, sources or keys',
  skippedFor(stage === null ? 'The registry cannot be reached' : null),
  async (t) => {
    if (stage === null) throw new Error('Not built')
    const app = join(stage.root, stage.workdir)
    t.strictSame((await readdir(app)).sort(), ['dist', 'node_modules', 'package.json'])
    const packages = await readdir(join(app, 'node_modules'))
    for (const tool of ['typescript', 'esbuild', 'tap', 'vitepress', 'playwright-core']) t.notOk(packages.includes(tool), tool)
    const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as { dependencies: Record<string, string> }
    for (const name of Object.keys(dependencies)) {
      const text = await readFile(join(app, 'node_modules', name, 'package.json'), 'utf8')
      t.equal((JSON.parse(text) as { version: string }).version, dependencies[name], name)
    }
  }
)

t.test(
  'image: without a licence key its start is refused, whatever the image says',
  skippedFor(stage === null ? 'The registry cannot be reached' : null),
  async (t) => {
    if (stage === null) throw new Error('Not built')
    const child = start(stage, { SERVICE_PORT: '0' })
    t.teardown(() => child.kill('SIGKILL'))
    if (child.stdout !== null) createInterface({ input: child.stdout }).resume()
    t.strictSame(await once(child, 'exit'), [78, null])
  }
)
