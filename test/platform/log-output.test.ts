// Log lines on a standard output that accepts none for a while, or only a part.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import t from 'tap'
import { createLogOutput } from '../../src/platform/log-output.js'
import { programArgs } from '../support/program.js'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** Writer that accepts the next number of bytes in `takes` for each write, all once it is empty, and throws an error in it. */
function writerOf(...takes: (number | Error)[]) {
  const written: Uint8Array[] = []
  const output = createLogOutput((bytes) => {
    const take = takes.shift() ?? bytes.length
    if (take instanceof Error) throw take
    written.push(bytes.slice(0, take))
    return Math.min(take, bytes.length)
  })
  return { output, written: () => Buffer.concat(written).toString() }
}

t.test('lines that a full disk does not take are lost and counted, and the next one that it takes says so', async (t) => {
  const { output, written } = writerOf(failure('ENOSPC'), failure('ENOSPC'))
  t.equal(output.write('a\n'), null)
  t.equal(output.write('b\n'), null)
  t.strictSame(output.write('c\n'), { lines: 2, code: 'ENOSPC' })
  t.equal(output.write('d\n'), null)
  t.equal(written(), 'c\nd\n')
})

t.test('a line that was written in part is ended before the next one', async (t) => {
  const { output, written } = writerOf(3, failure('ENOSPC'))
  output.write('first\n')
  output.write('second\n')
  t.equal(written(), 'fir\nsecond\n')
})

t.test('a line that is taken in pieces is whole, also where its reader is slow', async (t) => {
  const { output, written } = writerOf(2, failure('EAGAIN'), 1)
  t.equal(output.write('fünf\n'), null)
  t.equal(written(), 'fünf\n')
})

t.test('a reader that takes nothing is waited for once, for a second', async (t) => {
  let tries = 0
  const output = createLogOutput(() => {
    tries++
    throw failure('EAGAIN')
  })
  output.write('a\n')
  t.equal(tries, 101)
  for (let line = 0; line < 9; line++) output.write('b\n')
  t.equal(tries, 110)
})

const options = { skip: process.platform === 'linux' ? false : 'there is no /dev/full' }

t.test('a service whose logs are on a full disk answers, and ends in order', options, async (t) => {
  const child = spawn(process.execPath, programArgs('test/support/logging-to-full-disk.ts'), {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  t.equal(code, 0, said)
  t.equal(said, '200\n')
})
