/**
 * What ships, built once by the steps of the Dockerfile. The image without an engine: what comes out of them, started. Run as written:
 * every COPY, ENV, USER (where the test may become somebody else), HEALTHCHECK and CMD, the build, and the installation of what runs in
 * production. Not run: the base image, and the installation of the build's tools, which are those that this test is run with. And the
 * package as somebody installs it: packed, into empty folders, without a compiler, on each version of Node.js that it is for.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { lockedPackages, type LockedPackage } from '../../src/tools/shipped.js'
import { newFolder } from '../runner/temporary-folder.js'
import type { Stage } from '../support/dockerfile/dockerfile-run.js'
import { freePort } from '../support/free-port.js'
import { allSkippedFor, skippedFor } from '../support/needs.js'
import { projectRoot } from '../support/project-root.js'
import { buildShipped, startImage } from '../support/shipped-image.js'
import { writeTinyBert } from '../support/tiny-bert.js'
import { until } from '../support/until.js'

const ROOT = await realpath(projectRoot())
/** What is packed beside what is built. */
const TEXTS = ['README.md', 'LICENSE']
/** Releases of Node.js, from the registry, as packages of one program each. */
const OTHER_NODES = ['22', '24']
const INSTALL_MS_MAX = 600_000

const run = promisify(execFile)
// Not at home, which may be closed to others.
const folder = await newFolder(join(tmpdir(), 'engram-shipped-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** npm as anybody has it, but for its own notices. Nothing is compiled: a compiler that is asked for fails. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  // What the registry is reached by stands in the environment.
  const env = { ...process.env, CC: '/bin/false', CXX: '/bin/false', npm_config_update_notifier: 'false' }
  const options = ['--no-audit', '--no-fund', '--prefer-offline']
  return (await run('npm', [...args, ...options], { cwd, env, timeout: INSTALL_MS_MAX, maxBuffer: 64 * 1024 * 1024 })).stdout
}

async function pack({ root, workdir }: Stage): Promise<string> {
  const project = join(root, workdir)
  for (const name of TEXTS) await cp(join(ROOT, name), join(project, name))
  // It would be built once more.
  await npm(project, 'pack', '--ignore-scripts', '--pack-destination', folder)
  const [name = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'))
  return join(folder, name)
}

async function install(tarball: string): Promise<string> {
  const target = join(folder, 'whole')
  await mkdir(target)
  await npm(target, 'install', '--prefix', target, tarball)
  return target
}

async function megabytes(path: string): Promise<string> {
  const { stdout } = await run('du', ['-sk', path])
  return `${String(Math.round(Number.parseInt(stdout) / 1_024))} MB`
}

interface ServingOptions {
  /** Program of another version. */
  readonly node?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs what is installed until the test ends; resolves to its address. */
async function serving(t: Test, target: string, args: readonly string[], options: ServingOptions = {}): Promise<string> {
  const program = join(target, 'node_modules/.bin/engram')
  const [command, ...rest] = options.node === undefined ? [program] : [options.node, program]
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SERVICE_EMBEDDER: 'lexical', ...options.env }
  const child: ChildProcess = spawn(command, [...rest, 'serve', '--anonymous', '--port', '0', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  if (child.stdout === null) throw new Error('There is no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string }
    if (msg === 'listening' && url !== undefined) return url
  }
  throw new Error(`It ended before it listened: ${said}`)
}

async function remembers(t: Test, url: string): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const first = await post('/v1/run', { session_id: 'anna', message: 'We fly to Lisbon in May.' })
  t.equal(first.status, 200)
  const second = await post('/v1/run', { session_id: 'anna', message: 'Where do we fly in May?' })
  t.match(await second.json(), { context: /Lisbon/ })
  for (const path of ['/docs', '/openapi.json']) t.equal((await fetch(url + path)).status, 200, path)
}

async function modelOf(url: string): Promise<string | undefined> {
  const { embedder_model } = (await (await fetch(`${url}/v1/readyz`)).json()) as { embedder_model?: string }
  return embedder_model
}

const models = join(folder, 'models')
writeTinyBert(models, 'Xenova/all-MiniLM-L6-v2')
const shipped = await buildShipped(join(folder, 'stages'))
allSkippedFor(t, shipped === null ? 'The registry cannot be reached' : null)
const tarball = shipped === null ? '' : await pack(shipped.build)
const whole = shipped === null ? '' : await install(tarball)

function image(): Stage {
  if (shipped === null) throw new Error('Not built')
  return shipped.image
}

t.test('image: starts from its steps, is healthy by its own check, and ends in order', async (t) => {
  const stage = image()
  const port = String(await freePort())
  t.match(stage, { workdir: '/app', user: 'node', env: { NODE_ENV: 'production', SERVICE_HOST: '0.0.0.0', SERVICE_PORT: '8000' } })
  const child = startImage(stage, { SERVICE_PORT: port, SERVICE_ALLOW_ANONYMOUS: '1', SERVICE_EMBEDDER: 'lexical' })
  t.teardown(() => child.kill('SIGKILL'))
  const [program = '', ...args] = stage.healthCommand
  const isHealthy = () =>
    run(program === 'node' ? process.execPath : program, args, { env: { ...stage.env, SERVICE_PORT: port } }).then(
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
})

t.test('image: holds what runs, and no tools, sources or keys', async (t) => {
  const stage = image()
  const app = join(stage.root, stage.workdir)
  t.strictSame((await readdir(app)).sort(), ['dist', 'node_modules', 'package.json'])
  const packages = await readdir(join(app, 'node_modules'))
  for (const tool of ['typescript', 'esbuild', 'tap', 'vitepress', 'playwright-core']) t.notOk(packages.includes(tool), tool)
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
  for (const name of Object.keys(dependencies)) {
    const text = await readFile(join(app, 'node_modules', name, 'package.json'), 'utf8')
    t.equal((JSON.parse(text) as { version: string }).version, dependencies[name], name)
  }
})

t.test('image: without a licence key its start is refused, whatever the image says', async (t) => {
  const child = startImage(image(), { SERVICE_PORT: '0' })
  t.teardown(() => child.kill('SIGKILL'))
  if (child.stdout !== null) createInterface({ input: child.stdout }).resume()
  t.strictSame(await once(child, 'exit'), [78, null])
})

t.test('package: is built before it is packed, as the image is', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  t.equal(scripts['prepack'], 'npm run --silent build')
  t.match(await readFile(join(ROOT, 'Dockerfile'), 'utf8'), /^RUN npm run build$/m)
})

t.test('package: holds programs, the client and the page, and nothing of development', async (t) => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.split('\n').filter((name) => name !== '')
  for (const name of [
    'package.json',
    'dist/client/package-entry.js',
    'dist/debug-page/index.html',
    'README.md',
    'LICENSE',
    'dist/src/cli/engram.js',
    'dist/src/main.js',
    'dist/nats.conf'
  ])
    t.ok(files.includes(`package/${name}`), name)
  t.same(
    files.filter((name) => /^package\/(src|test|bench|node_modules)\//.test(name) || (name.endsWith('.ts') && !name.endsWith('.d.ts'))),
    []
  )
  t.comment(`packed: ${String(Math.round((await stat(tarball)).size / 1_000))} KB`)
})

t.test('package: whose code is inside has its licence there, and is in the bill of materials', async (t) => {
  const { stdout: licences } = await run('tar', ['-xzOf', tarball, 'package/dist/LICENSES.txt'])
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> }
  const shipped = lockedPackages(lock.packages).filter(({ isShipped }) => isShipped)
  const named = [...licences.matchAll(/^(\S+) (\d+\.\d+\.\d+), \S+$/gm)].map(([, name, version]) => `${name} ${version}`)
  for (const name of ['fastify', 'preact', '@xenova/transformers'])
    t.ok(
      named.some((one) => one.startsWith(`${name} `)),
      name
    )
  t.match(licences, /Apache License\s+Version 2\.0/)
  const listed = new Set(shipped.map(({ name, version }) => `${name} ${version}`))
  t.strictSame(
    named.filter((one) => !listed.has(one)),
    []
  )
})

t.test('package: installed as it is, it serves from SQLite, and its command line works', { timeout: INSTALL_MS_MAX }, async (t) => {
  t.comment(`installed: ${await megabytes(whole)}`)
  await remembers(t, await serving(t, whole, ['--data', join(folder, 'data')]))
  const { stdout } = await run(join(whole, 'node_modules/.bin/engram'), ['--version'])
  t.match(stdout, /^\d+\.\d+\.\d+\n$/)

  await t.test('package: a local model embeds, and no library for pictures is there', async (t) => {
    const url = await serving(t, whole, [], { env: { SERVICE_EMBEDDER: 'transformers', SERVICE_MODEL_DIR: models } })
    await remembers(t, url)
    t.match(await modelOf(url), /^Xenova\/all-MiniLM-L6-v2@fp32-/)
    t.notOk((await readdir(join(whole, 'node_modules'))).includes('sharp'))
  })

  const nodes = join(folder, 'nodes')
  await mkdir(nodes)
  const programs = OTHER_NODES.map((major) => `node-${major}@npm:node-linux-${process.arch}@${major}`)
  const missing = await npm(nodes, 'install', '--prefix', nodes, '--ignore-scripts', ...programs).then(
    () => null,
    () => 'Other versions of Node.js cannot be fetched from the registry'
  )
  for (const major of OTHER_NODES) {
    t.test(`package: serves on Node.js ${major}`, skippedFor(missing), async (t) => {
      const node = join(nodes, `node_modules/node-${major}/bin/node`)
      const { stdout: told } = await run(node, ['--version'])
      t.match(told, `v${major}.`)
      await remembers(t, await serving(t, whole, ['--data', join(folder, `data-${major}`)], { node }))
    })
  }
})

t.test('package: without its optional parts it serves from memory, and names what is missing', { timeout: INSTALL_MS_MAX }, async (t) => {
  const target = join(folder, 'small')
  // The same files, of which npm takes out what it would have left out.
  await run('cp', ['-al', whole, target])
  await npm(target, 'prune', '--omit=optional', '--prefix', target)
  t.comment(`installed without optional parts: ${await megabytes(target)}`)
  const { stdout } = await run('find', [target, '-name', '*.node'])
  t.equal(stdout, '', 'nothing of it is native')
  const url = await serving(t, target, [], { env: { SERVICE_EMBEDDER: 'auto', SERVICE_MODEL_DIR: models } })
  await remembers(t, url)
  t.equal(await modelOf(url), 'lexical-hash-v1')
  const child = spawn(join(target, 'node_modules/.bin/engram'), ['serve', '--anonymous', '--port', '0', '--data', join(folder, 'none')], {
    env: { PATH: process.env['PATH'] ?? '' }
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  t.strictSame(await once(child, 'close'), [78, null])
  t.match(said, /^DATABASE_URL cannot be used/)
})
