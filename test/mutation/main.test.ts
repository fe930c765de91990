import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { programArgs } from '../support/program.js'
import { sampleOf, wilson } from './sample.js'

const SOURCE = `export function sum(a: number, b: number): number {
  return a + b
}

export function larger(a: number, b: number): number {
  return a > b ? a : b
}

export function refuse(): never {
  throw new Error('This cannot be done')
}

export function forget(numbers: Set<number>): void {
  numbers.clear()
}
`
/** Tap as installed beside this file: in a compiled project one module instead of 260. */
const TAP = fileURLToPath(new URL('../../node_modules/tap', import.meta.url))
/** Test that appends a mark to a file each time it runs. */
const TEST = `import { appendFileSync } from 'node:fs'
import t from 'tap'
import { larger, sum } from '../src/numbers.js'

appendFileSync(String(process.env['MARKS']), '.')
t.equal(sum(1, 2), 3)
t.equal(larger(2, 1), 2)
`

interface Project {
  write(path: string, text: string): void
  /** Returns the lines of output; throws if the run fails. */
  run(...args: string[]): string[]
  /** How many times the test has run so far. */
  asked(): number
}

function createProject(t: Test): Project {
  const root = t.testdir()
  const marks = join(root, 'marks.log')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  // Otherwise the compiler would read the types of browsers and of every package around it, each time.
  write('tsconfig.json', '{ "compilerOptions": { "lib": ["ES2023"], "types": [] } }')
  write('package.json', '{ "type": "module" }')
  write('src/numbers.ts', SOURCE)
  write('test/numbers.test.ts', TEST)
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(TAP, join(root, 'node_modules/tap'))
  const { TAP: _, ...env } = process.env
  return {
    write,
    asked: () => (existsSync(marks) ? readFileSync(marks, 'utf8').length : 0),
    run(...args) {
      const program = [...programArgs('test/mutation/main.ts'), '--root', `${root}/`, ...args]
      const { status, stdout, stderr } = spawnSync(process.execPath, program, { env: { ...env, MARKS: marks }, encoding: 'utf8' })
      t.equal(status, 0, stdout + stderr)
      return stdout.trimEnd().split('\n')
    }
  }
}

t.test('changes that no test notices are told with their lines, and tried again once a test has changed', async (t) => {
  const project = createProject(t)
  const told = project.run('src')
  t.same(told, [
    'survived src/numbers.ts:6:10 ConditionalExpression',
    '  -   return a > b ? a : b',
    '  +   return true ? a : b',
    'survived src/numbers.ts:6:10 EqualityOperator',
    '  -   return a > b ? a : b',
    '  +   return a >= b ? a : b',
    'unreached src/numbers.ts:13:52 BlockStatement',
    '  - export function forget(numbers: Set<number>): void {',
    '  -   numbers.clear()',
    '  - }',
    '  + export function forget(numbers: Set<number>): void {}',
    '# src: 66.7 %; 9 changes, 1 ignored; tried 9: 5 killed, 1 refused, 2 survived, 1 unreached'
  ])
  const asked = project.asked()
  t.same(project.run('src'), told)
  t.equal(project.asked(), asked, 'what has not changed is not tried again')
  project.write('test/numbers.test.ts', `${TEST}t.equal(larger(1, 2), 2)\n`)
  t.match(project.run('src').at(-1), '77.8 %; 9 changes, 1 ignored; tried 9: 6 killed, 1 refused, 1 survived, 1 unreached')
  t.ok(project.asked() > asked)
})

t.test('a change marked with a reason is not tried', async (t) => {
  const project = createProject(t)
  const mark = '  // Stryker disable next-line EqualityOperator: of two equal ones either is the larger\n'
  project.write('src/numbers.ts', SOURCE.replace('  return a > b', `${mark}  return a > b`))
  t.match(project.run('src').at(-1), '7 changes, 3 ignored')
})

t.test('of a sample, which its seed decides, the score is told with its interval', async (t) => {
  const project = createProject(t)
  const [line] = project.run('src', '--sample', '4', '--seed', '2').slice(-1)
  t.match(line, /^# src: [\d.]+ % \(95 %: [\d.]+ to [\d.]+\); 9 changes, 1 ignored; tried 4: /)
  t.equal(project.run('src', '--sample', '4', '--seed', '2').at(-1), line)
})

t.test('a sample keeps the order and what is in it as others come', async (t) => {
  const numbers = Array.from({ length: 100 }, (_, index) => index)
  const sample = sampleOf(numbers, { count: 10, seed: 'a', nameOf: String })
  t.ok(sample.every((number, index) => index === 0 || number > (sample[index - 1] ?? 0)))
  t.equal(new Set(sample).size, 10)
  t.notSame(sampleOf(numbers, { count: 10, seed: 'b', nameOf: String }), sample)
  const more = sampleOf([...numbers, 100, 101], { count: 12, seed: 'a', nameOf: String })
  t.same(
    sample.filter((one) => !more.includes(one)),
    []
  )
})

t.test("Wilson's interval is as published, and stays between 0 and 1", async (t) => {
  const { low, high } = wilson(81, 263)
  t.match([low.toFixed(4), high.toFixed(4)], ['0.2553', '0.3662'])
  t.equal(wilson(10, 10).high, 1)
  t.equal(wilson(0, 10).low, 0)
})
