/** Figures that a document repeats equal those of their source. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { ROOT } from './markdown-files.js'

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

interface Figure {
  readonly name: string
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Cells of the rows whose first cell begins with `beginning`. */
const rowsOf = (text: string, beginning: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`| ${beginning}`))
    .map((line) => line.split('|').map((cell) => cell.trim()))

t.test('comparison: every row of what was measured is what the bench has stored', async (t) => {
  const stored = JSON.parse(read('bench/results/bench.json')) as { readonly peers: { readonly figures: readonly Figure[] } }
  const shown = read('docs/comparison.md').replaceAll('`', '')
  for (const { name, median, low, high } of stored.peers.figures) {
    const [, size, peer = ''] = /^one query at (\S+) memories: (.*)$/.exec(name) ?? []
    const rows = rowsOf(shown, peer === 'the service' ? 'Engram, whole search over HTTP' : peer)
    t.equal(rows.at(-1)?.[size === '1,000' ? 2 : 3], `${String(median)} (${String(low)} to ${String(high)})`, name)
  }
})

t.test('comparison: recall and false hits are those that the quality page has', async (t) => {
  const quality = read('docs/quality.md')
  const shown = read('docs/comparison.md')
  const [recall = []] = rowsOf(quality, 'recall@5 ')
  t.match(shown, `in ${String(recall[2])} of the questions, with plain BM25 in ${String(recall[3])}`)
  const [table = ''] = quality.slice(quality.indexOf('kept aside, and measured once')).split('\n\n')
  const sums = ['English', 'German'].map((language) => {
    // The third set is in two of the rows.
    const rows = rowsOf(table, language).filter(([, , set = '']) => !set.includes('stricter rules'))
    const sum = (cell: number): number => rows.reduce((total, row) => total + Number(row[cell]), 0)
    return { traps: sum(3), hits: sum(4) }
  })
  const traps = sums.reduce((total, { traps: own }) => total + own, 0)
  t.match(shown, `eleven false hits in the ${traps.toLocaleString('en')} traps`)
  t.strictSame(
    sums.map(({ hits }) => hits),
    [10, 1],
    'one of them German'
  )
})
