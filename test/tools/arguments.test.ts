import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { programArgs } from '../support/program.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const UNKNOWN = '--no-such-option'

/** Programs behind `npm run` that take arguments, run long or write files. */
const PROGRAMS = [
  'bench/calibration.ts',
  'bench/coordination.ts',
  'bench/cost.ts',
  'bench/fairness.ts',
  'bench/golden.ts',
  'bench/heartbeats.ts',
  'bench/main.ts',
  'bench/nodes.ts',
  'bench/past-version.ts',
  'bench/placement.ts',
  'bench/quality/main.ts',
  'bench/session-weights.ts',
  'src/tools/build.ts',
  'src/tools/client-types.ts',
  'src/tools/kernel.ts',
  'src/tools/machines.ts',
  'src/tools/reference/reference.ts',
  'src/tools/sbom.ts',
  'test/long-run.ts torture',
  'test/long-run.ts torture:kills',
  'test/long-run.ts torture:late',
  'test/long-run.ts model:exactly-once',
  'test/mutation/main.ts',
  'test/runner/main.ts',
  'test/simulation/main.ts'
]

function run(program: string, arg: string) {
  const [file = '', ...named] = program.split(' ')
  return spawnSync(process.execPath, [...programArgs(file), ...named, arg], { encoding: 'utf8' })
}

t.test('every program reads its arguments in the same way', async (t) => {
  for (const program of PROGRAMS) {
    const [file = ''] = program.split(' ')
    t.match(readFileSync(ROOT + file, 'utf8'), /\bread(Arguments|Numbers)\(/, program)
  }
})

// Some of each folder: a start takes most of a second.
for (const program of PROGRAMS.filter((_, at) => at % 4 === 0)) {
  t.test(`${program}: what it does not take is refused, with how it is called`, async (t) => {
    const refused = run(program, UNKNOWN)
    t.match(refused, { status: 2, stdout: '' })
    t.match(refused.stderr, new RegExp(`'${UNKNOWN}'[^]*\\nusage: (npm|tsx) `))
  })
}

// One of each kind: all of them read what they are told in the same way.
for (const program of ['src/tools/build.ts', 'bench/main.ts', 'test/long-run.ts torture']) {
  t.test(`${program}: help is printed and nothing done`, async (t) => {
    const helped = run(program, '--help')
    t.match(helped, { status: 0, stderr: '' })
    t.match(helped.stdout, /^usage: npm /)
  })
}

t.test('a long run that nobody knows is refused, and what a program misses', async (t) => {
  t.match(run('test/long-run.ts', 'nothing'), { status: 2, stderr: /NAME is one of .*torture/ })
  t.match(run('bench/heartbeats.ts', 'ten'), { status: 2, stderr: /Not a number/ })
  t.match(run('bench/golden.ts', '--write'), { status: 2, stderr: /DATA is not given/ })
})

t.test('scripts start long runs by names that there are', async (t) => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as { scripts: Record<string, string> }
  const started = Object.entries(scripts).filter(([, command]) => command.includes('test/long-run.ts '))
  t.ok(started.length > 0)
  for (const [name, command] of started) t.ok(PROGRAMS.includes(command.slice(command.indexOf('test/'))), name)
})
