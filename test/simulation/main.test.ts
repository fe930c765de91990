import { spawnSync } from 'node:child_process'
import process from 'node:process'
import t from 'tap'
import { programArgs } from '../support/program.js'

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...programArgs('test/simulation/main.ts'), ...args], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

t.test('seeds without a violation end well, and are counted', async (t) => {
  const { status, output } = run('--seeds', '2', '--from', '3')
  t.equal(status, 0, output)
  t.match(output, /^2 of 2 seeds, \d+ ms each$/m)
})

t.test('a planted mistake is looked for, made smaller and told', async (t) => {
  const { status, output } = run('--bug', 'ring-stays-as-it-was', '--seeds', '20', '--story')
  t.equal(status, 0, output)
  t.match(output, /^ring-stays-as-it-was: seed \d+, unsettled, \d+ lines; \d+ of \d+ faults and \d+ of \d+ operations are enough/m)
  t.match(output, /s {2}! {5}unsettled: n\d knows/, 'with its story')
})

t.test('a mistake that nobody planted is refused', async (t) => {
  const { status, output } = run('--bug', 'nobody')
  t.equal(status, 1, output)
  t.match(output, /--bug takes all, or one of fencing-unchecked, /)
})
