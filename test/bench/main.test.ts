import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { drawFigures } from '../../bench/drawing.js'
import { type Figure, figureOf, histogramOf } from '../../bench/figures.js'
import { MEASURES } from '../../bench/measures.js'
import { linesOf, type Results } from '../../bench/report.js'
import { programArgs } from '../support/program.js'

const STORED = new URL('../../bench/results/bench.json', import.meta.url)

t.test('bench: its command, short, prints what it measures and leaves the stored results', async (t) => {
  const before = await digestOf(STORED)
  const args = [...programArgs('bench/main.ts'), '--short', '--only', 'run', '--only', 'restore']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  t.strictSame(await once(child, 'close'), [0, null])
  t.match(said, /^run:\n {2}constant answer +[\d.]+ ms/m)
  t.match(said, /run at 20 memories +[\d.]+ ms/)
  t.match(said, /stretches of the loop in ms: ≤ 1: \d+/)
  t.match(said, /bringing back 20 memories +[\d.]+ ms/)
  t.equal(await digestOf(STORED), before)
})

t.test('bench: a measure that it does not have, refused with the names of those it has', async (t) => {
  const child = spawn(process.execPath, [...programArgs('bench/main.ts'), '--only', 'luck'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  t.strictSame(await once(child, 'close'), [2, null])
  t.match(said, 'There is no measure luck')
  t.match(said, Object.keys(MEASURES).join(', '))
})

t.test('figures: median and spread of samples in any order, three digits that count', async (t) => {
  t.strictSame(figureOf('a', 'ms', [3, 1.23456, 2], { atMost: 2 }), {
    ...{ name: 'a', unit: 'ms', median: 2, low: 1.23, high: 3 },
    goal: { atMost: 2 }
  })
})

t.test('histograms: each stretch in the first bucket that holds it, the longest told apart', async (t) => {
  const { counts, longestMs, p999Ms } = histogramOf([0.5, 1, 3, 500])
  t.strictSame(counts, [2, 0, 1, 0, 0, 0, 0, 0, 1])
  t.equal(longestMs, 500)
  t.equal(p999Ms, 500)
})

t.test('reports: beside stored results, each figure as a ratio to its own', async (t) => {
  const figures = [figureOf('a', 'ms', [3]), figureOf('b', 'ms', [5])]
  const lines = linesOf('some', { figures }, { figures: [figureOf('a', 'ms', [2])] })
  t.match(lines[1], /^ {2}a +3 ms; × 1\.50 of 2$/)
  t.match(lines[2], /^ {2}b +5 ms$/)
})

t.test('charts: a bar for each figure in milliseconds, the longer one for more, and one that misses its goal marked', async (t) => {
  const figure = (name: string, ms: number): Figure => figureOf(name, 'ms', [ms], { atMost: 1 })
  const results: Results = { some: { machine: 'm', figures: [figure('a < b', 0.5), figure('c', 50), figureOf('d', '×', [1])] } }
  const drawn = drawFigures(results)
  const widths = [...drawn.matchAll(/<rect x[^>]* width="(\d+)"[^>]* class="(\w+)"/g)].map(
    ([, width, look]) => [Number(width), look] as const
  )
  t.strictSame(
    widths.map(([, look]) => look),
    ['met', 'missed']
  )
  t.ok((widths[0]?.[0] ?? 0) < (widths[1]?.[0] ?? 0))
  t.match(drawn, 'a &lt; b')
})

async function digestOf(file: URL): Promise<string> {
  const bytes = await readFile(file).catch(() => '')
  return createHash('sha256').update(bytes).digest('hex')
}
