import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { needs } from '../support/needs.js'
import { programArgs } from '../support/program.js'

const IMPORT = "import t from 'tap'\n"
/** Tap as installed beside this file: in a compiled project one module instead of 260. */
const TAP = fileURLToPath(new URL('../../node_modules/tap', import.meta.url))

interface Ended {
  readonly status: number | null
  readonly output: string
}

/** Runs the runner on a project of these files. */
function run(t: Test, files: Readonly<Record<string, string>>, ...args: string[]): Ended {
  const root = t.testdir({ node_modules: {} })
  symlinkSync(TAP, join(root, 'node_modules/tap'))
  write(root, files)
  return runIn(root, ...args)
}

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries({ 'tsconfig.json': '{}', 'package.json': '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

function runIn(root: string, ...args: string[]): Ended {
  const { TAP: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [...programArgs('test/runner/main.ts'), '--root', `${root}/`, ...args], {
    env,
    encoding: 'utf8'
  })
  return { status, output: stdout + stderr }
}

t.test('a run, all tests passed, counts assertions over all files, compiled with what is beside them', async (t) => {
  const { status, output } = run(t, {
    'note.txt': 'found',
    'src/sum.ts': 'export const sum = (a: number, b: number): number => a + b\n',
    'test/sum.test.ts': `${IMPORT}import { sum } from '../src/sum.js'\nt.test('sum', async (t) => {\n  t.equal(sum(1, 2), 3)\n  t.equal(sum(2, 2), 4)\n})\n`,
    'test/note.test.ts': `${IMPORT}import { readFileSync } from 'node:fs'\nt.equal(readFileSync(new URL('../note.txt', import.meta.url), 'utf8'), 'found')\n`,
    'test/torture/long.test.ts': `${IMPORT}t.fail('not asked for')\n`
  })
  t.equal(status, 0, output)
  t.match(output, /^ok test\/sum\.test\.ts # 2 passed, [\d.]+ s$/m)
  t.match(output, /^# \{ total: 3, pass: 3 \}$/m)
  t.match(output, /^# slowest:\n#   [\d.]+ s test\//m)
})

t.test('a run, one file failed, names it, shows what differs in the TypeScript that was written, and fails', async (t) => {
  const { status, output } = run(t, {
    'test/fails.test.ts': `${IMPORT}type Unused = string\n\nt.test('outer', async (t) => {\n  t.equal(1, 2, 'the same')\n  console.error('on the way')\n})\n`,
    'test/passes.test.ts': `${IMPORT}t.ok(true)\n`
  })
  t.equal(status, 1)
  t.match(output, /^not ok test\/fails\.test\.ts/m)
  t.match(output, /outer > the same[^]+fails\.test\.ts\n +lineNumber: 5[^]+-2\n +\+1\n[^]+\| on the way/)
  t.match(output, /^# failed:\n#   test\/fails\.test\.ts\n# \{ total: 2, pass: 1, fail: 1 \}/m)
})

t.test('a run, a file that ends too early or says nothing, counts a failure for each', async (t) => {
  const { status, output } = run(t, {
    'test/exits.test.ts': `${IMPORT}import 'commander'\nt.ok(true)\nprocess.exit(3)\n`,
    'test/killed.test.ts': `${IMPORT}import 'commander'\nt.ok(true)\nprocess.kill(process.pid, 'SIGKILL')\n`,
    'test/silent.test.ts': "import 'commander'\nimport './missing.js'\n"
  })
  t.equal(status, 1)
  for (const name of ['exits', 'killed', 'silent']) t.match(output, new RegExp(`^not ok test/${name}`, 'm'), name)
  t.match(output, /^# \{ total: 5, pass: 2, fail: 3 \}$/m)
})

t.test('files that share a process: each has its own t, result and count, and fails alone', async (t) => {
  const own =
    "t.teardown(() => console.error('torn down'))\nt.test('its own', async (t) => { t.equal(t.fullname.includes('other'), false) })\n"
  const { status, output } = run(t, {
    'test/a.test.ts': `${IMPORT}Object.assign(globalThis, { pid: process.pid })\n${own}`,
    'test/b.test.ts': `${IMPORT}t.ok(true)\nthrow new Error('broken')\n`,
    'test/c.test.ts': `${IMPORT}t.equal((globalThis as { pid?: number }).pid, process.pid, 'one process')\nawait t.test('skipped', { skip: 'redis-server is not installed: apt-get install redis-server' }, async () => undefined)\n`,
    'test/d.test.ts': `${IMPORT}process.exit(0)\n`,
    'test/e.test.ts': `${IMPORT}t.ok(true)\n`
  })
  t.equal(status, 1)
  t.match(output, /^ok test\/a\.test\.ts # 1 passed, /m)
  t.match(output, /^not ok test\/b\.test\.ts # 1 passed, [^]+broken/m)
  t.match(output, /^ok test\/c\.test\.ts # 1 passed, 1 skipped, /m)
  t.match(output, /^not ok test\/d[^]+^not ok test\/e/m, 'the file that ends the process, and what never had its turn')
  t.match(output, /^# skipped: 1: apt-get install redis-server\n# \{ total: 7, pass: 3, fail: 3, skip: 1 \}$/m)
})

t.test('a file of a shared process that leaves a server open fails', async (t) => {
  const { status, output } = run(t, {
    'src/service.ts': "import { createServer } from 'node:net'\nexport const open = () => createServer().listen(0)\n",
    'test/a.test.ts': `${IMPORT}import { open } from '../src/service.js'\nt.test('closed', async (t) => {\n  const server = open()\n  t.teardown(() => server.close())\n  t.ok(server)\n})\n`,
    'test/b.test.ts': `${IMPORT}import { open } from '../src/service.js'\nt.ok(open())\n`,
    'test/c.test.ts': `${IMPORT}import '../src/service.js'\nt.ok(true)\n`
  })
  t.equal(status, 1)
  t.match(output, /^ok test\/a[^]+^not ok test\/b[^]+left something open: .*TCPServerWrap[^]+^ok test\/c/m)
})

t.test('a run with names is of those; one of none that is there fails', async (t) => {
  const files = {
    'test/a/one.test.ts': `${IMPORT}t.ok(true)\n`,
    'test/b.test.ts': `${IMPORT}t.fail('not asked for')\n`,
    'test/torture/c.test.ts': `${IMPORT}t.ok(true)\n`
  }
  t.match(run(t, files, './test/a/one.test.ts', 'test/torture/c'), { status: 0, output: /total: 2, pass: 2 \}/ })
  t.match(run(t, files, '--faults'), { status: 0, output: /total: 1, pass: 1 \}/ })
  t.match(run(t, files, '--all'), { status: 1, output: /total: 3, pass: 2, fail: 1 \}/ })
  t.match(run(t, files, 'test/none'), { status: 1, output: /No test is named test\/none/ })
})

t.test('a run of what has changed is of the tests that reach it', needs('git'), async (t) => {
  const root = t.testdir({})
  const git = (...args: string[]) =>
    t.equal(spawnSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]).status, 0, args.join(' '))
  const files = {
    'src/a.ts': 'export const a = 1\n',
    'src/b.ts': 'export const b = 1\n',
    'test/through.ts': "export { a } from '../src/a.js'\n",
    'test/a.test.ts': `${IMPORT}import { a } from './through.js'\nt.ok(a)\n`,
    'test/b.test.ts': `${IMPORT}import { b } from '../src/b.js'\nt.ok(b)\n`,
    '.gitignore': '.tap\n'
  }
  const changed = () => runIn(root, '--changed')
  write(root, files)
  git('init')
  git('add', '-A')
  git('commit', '-m', 'all')
  t.match(changed(), { status: 0, output: '# No test reaches what has changed' })
  write(root, { 'src/a.ts': 'export const a = 2\n' })
  t.match(changed(), { status: 0, output: /^ok test\/a[^]+total: 1,/m })
  write(root, { 'test/c.test.ts': `${IMPORT}t.ok(true)\n` })
  t.match(changed(), { status: 0, output: /total: 2,/ }, 'a new file, too')
  write(root, { 'package.json': '{ "type": "module", "private": true }' })
  t.match(changed(), { status: 0, output: /total: 3,/ }, 'what is there for all')
})
