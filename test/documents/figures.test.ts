/** Figures that a document repeats equal those of their source, and what is computed from them is computed right. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { allowancesOf, defaultLimitBytes } from '../../src/domain/fairness/allowances.js'
import { ROOT } from './markdown-files.js'

const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8')

interface Figure {
  readonly name: string
  readonly median: number
  readonly low: number
  readonly high: number
}

type Results = Readonly<Record<string, { readonly machine: string; readonly figures: readonly Figure[] }>>

const stored = JSON.parse(read('bench/results/bench.json')) as Results
const quality = read('docs/quality.md')

/** The median of a figure that the bench has stored. */
function medianOf(part: string, name: string): number {
  const found = stored[part]?.figures.find((figure) => figure.name === name)
  if (found === undefined) throw new Error(`The bench has stored no ${name} in ${part}`)
  return found.median
}

/** Cells of the rows whose first cell begins with `beginning`. */
const rowsOf = (text: string, beginning: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`| ${beginning}`))
    .map((line) => line.split('|').map((cell) => cell.trim()))

t.test('comparison: every row of what was measured is what the bench has stored', async (t) => {
  const shown = read('docs/comparison.md').replaceAll('`', '')
  for (const { name, median, low, high } of stored['peers']?.figures ?? []) {
    const [, size, peer = ''] = /^one query at (\S+) memories: (.*)$/.exec(name) ?? []
    const rows = rowsOf(shown, peer === 'the service' ? 'Engram, whole search over HTTP' : peer)
    t.equal(rows.at(-1)?.[size === '1,000' ? 2 : 3], `${String(median)} (${String(low)} to ${String(high)})`, name)
  }
})

/** Traps and false hits of the sets that were kept aside, in English and in German. The third set is in two of the rows. */
function trapsKeptAside(): { traps: number; hits: number }[] {
  const [table = ''] = quality.slice(quality.indexOf('kept aside, and measured once')).split('\n\n')
  return ['English', 'German'].map((language) => {
    const rows = rowsOf(table, language).filter(([, , set = '']) => !set.includes('stricter rules'))
    const sum = (cell: number): number => rows.reduce((total, row) => total + Number(row[cell]), 0)
    return { traps: sum(3), hits: sum(4) }
  })
}

t.test('comparison: recall and false hits are those that the quality page has', async (t) => {
  const shown = read('docs/comparison.md')
  const [recall = []] = rowsOf(quality, 'recall@5 ')
  t.match(shown, `in ${String(recall[2])} of the questions, with plain BM25 in ${String(recall[3])}`)
  const sums = trapsKeptAside()
  const traps = sums.reduce((total, { traps: own }) => total + own, 0)
  t.match(shown, `eleven false hits in the ${traps.toLocaleString('en')} traps`)
  t.strictSame(
    sums.map(({ hits }) => hits),
    [10, 1],
    'one of them German'
  )
})

/** Each row of a document by its beginning, with the cells that it has to have after the first. */
function checkRows(t: Test, path: string, expected: readonly (readonly [beginning: string, ...cells: string[]])[]): void {
  const shown = read(path)
  for (const [beginning, ...cells] of expected) {
    const rows = rowsOf(shown, beginning).map((row) => row.slice(2, 2 + cells.length))
    t.strictSame(rows, [cells], `${path}: ${beginning}`)
  }
}

const listed = (values: readonly (string | number)[]): string =>
  values
    .map(String)
    .join(', ')
    .replace(/, ([^,]*)$/, ' and $1')

t.test('README: what it shows at a glance is what the bench and the quality page have', async (t) => {
  const sizes = ['100', '1,000', '10,000', '100,000']
  const waits = ['SQLite', 'PostgreSQL', 'Redis', 'memory'].map((backend) => medianOf('durable', `p50 over ${backend}, 1 session`))
  const [recall = []] = rowsOf(quality, 'recall@5 ')
  const auroc = [...quality.slice(0, quality.indexOf('## How to repeat it')).matchAll(/AUROC (\.\d+)/g)]
    .map(([, value = '']) => value)
    .sort()
  const traps = trapsKeptAside()
  const total = (name: 'traps' | 'hits') => traps.reduce((sum, language) => sum + language[name], 0).toLocaleString('en')
  // Of the hand that wrote the rules, of the tenth set, of both, and of the seventh set, each in English and in German.
  const recalls = [...quality.matchAll(/, recall (\.\d+) \|/g)].map(([, value]) => String(value))
  const [, , english10, german10, , , english7, german7] = recalls
  checkRows(t, 'README.md', [
    ['What one client waits for a turn', `${listed(sizes.map((size) => medianOf('run', `p50 of one client at ${size} memories`)))} ms`],
    ['Turns a second from one process', String(medianOf('workers', 'runs from one worker'))],
    ['Over SQLite, PostgreSQL, Redis', `${listed(waits.slice(0, 3))} ms, against ${String(waits[3])} in memory`],
    ['Memory of one of 1,000 sessions', `${String(medianOf('sessions', 'holding one of 20 memories, of 1,000 sessions'))} KiB`],
    ['Evidence among the first five hits', `${String(recall[2])} of the questions, with plain BM25 ${String(recall[3])}`],
    ['Changes of subject', `${String(auroc[0])} to ${String(auroc.at(-1))}`],
    [
      'Repeated questions: wrongly',
      `${total('hits')} of ${total('traps')} traps; ${String(english7)} and ${String(english10)} in English, ${String(german7)} and ${String(german10)} in German`
    ]
  ])
  t.strictSame(new Set(Object.values(stored).map(({ machine }) => machine)), new Set(['Node v20.20.2, 2 × AMD EPYC']))
  for (const path of ['README.md', 'docs/comparison.md'])
    t.match(read(path).replaceAll('\n', ' '), /2 shared cores of an AMD EPYC with Node\.js 20\.20\.2/)
})

t.test('storage: figures and ratios of the backends are those of the bench', async (t) => {
  const backends = ['memory', 'SQLite', 'PostgreSQL', 'Redis']
  const measured = (name: string): number[] => backends.map((backend) => medianOf('durable', name.replace('BACKEND', backend)))
  const rows = [
    ['one session: what a client waits', measured('p50 over BACKEND, 1 session')],
    ['16 sessions at once: processor time', measured('run over BACKEND, 16 sessions at once')],
    ['256 sessions at once: what a client waits', measured('p50 over BACKEND, 256 sessions at once')]
  ] as const
  checkRows(
    t,
    'docs/operations/storage.md',
    rows.map(([beginning, values]) => [beginning, ...values.map(String)])
  )
  const ratios = rows.map(([, values]) => values.map((value) => String(Number((value / (values[0] ?? NaN)).toFixed(2)))))
  t.strictSame(
    rowsOf(read('docs/operations/storage.md'), 'over `memory` ').map((row) => row.slice(2, 6)),
    ratios
  )
})

const MIB = 1_048_576

t.test('sizing: what fits and what a core can do follow from the figures that it names', async (t) => {
  const page = read('docs/operations/sizing.md')
  const weights = ['20', '200', '2,000'].map((memories) => Number(rowsOf(page, `${memories} memories `)[0]?.[2]?.replace(',', '')))
  t.equal(weights[0], medianOf('sessions', 'holding one of 20 memories, of 1,000 sessions'))
  const rows = [1, 2, 4, 8, 16].map((gib): [string, ...string[]] => {
    const limitBytes = defaultLimitBytes(gib * 1_024 * MIB)
    // V8's heap is no bound: the page says how much of it there has to be.
    const { actors } = allowancesOf({ limitBytes, heapLimitBytes: Number.POSITIVE_INFINITY })
    const fitting = weights.map((kib) => Math.floor(actors.total / 1_024 / kib))
    return [`${String(gib)} GiB`, ...[Math.floor(actors.total / MIB), ...fitting].map((count) => count.toLocaleString('en'))]
  })
  checkRows(t, 'docs/operations/sizing.md', rows)
  const turnsOf = (ms: number): string => String(Math.round(1_000 / ms))
  checkRows(t, 'docs/operations/sizing.md', [
    ['nothing written', ...['100', '1,000', '10,000', '100,000'].map((size) => turnsOf(medianOf('run', `run at ${size} memories`)))],
    [
      'turns a second and core',
      ...['memory', 'SQLite', 'PostgreSQL', 'Redis'].map((backend) =>
        turnsOf(medianOf('durable', `run over ${backend}, 16 sessions at once`))
      )
    ]
  ])
  t.match(page, `two\n  workers had ${String(medianOf('workers', 'two workers over one'))} times the turns of one`)
  const texts = ['embeddings, one text at a time', 'lexical embeddings'].map((name) => medianOf('embedding', name).toLocaleString('en'))
  t.match(page, `made ${String(texts[0])} texts a second alone, the lexical embedder ${String(texts[1])}`)
})

t.test('decision 6: the exact search beside the index is what the bench has stored', async (t) => {
  const sets = [
    ...new Set((stored['neighbours']?.figures ?? []).map(({ name }) => /([\d,]+ (?:random )?vectors(?: of texts)?)/.exec(name)?.[1] ?? ''))
  ]
  checkRows(
    t,
    'docs/decisions/0006-exact-search.md',
    sets.map((set) => {
      const of = (name: string): number => medianOf('neighbours', name.replace('SET', set))
      return [
        `${set.replace(' vectors', '')} `,
        ...[
          'the nearest of SET: exact',
          'the nearest of SET: hnswlib',
          'one vector more, to SET: exact',
          'one vector more, to SET: hnswlib'
        ].map((name) => `${String(of(name))} ms`),
        String(of('of the ten nearest of SET, found by hnswlib'))
      ]
    })
  )
})
