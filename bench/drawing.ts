/** The chart of `docs/performance.md`: one bar per figure, with its spread and its goal. */
import type { Figure } from './figures.js'
import type { Results } from './report.js'

const WIDTH = 960
const NAMES = 470
const BARS = 300
const ROW = 20
const TITLE = 34
const MARGIN = 16

/** Bounds of the logarithmic scale, in milliseconds: smaller figures have shorter bars. */
const LEAST_MS = 0.01
const MOST_MS = 20_000

export function drawFigures(results: Results): string {
  const parts: string[] = []
  let y = MARGIN
  for (const [name, { figures }] of Object.entries(results)) {
    const drawn = figures.filter(({ unit }) => unit === 'ms')
    if (drawn.length === 0) continue
    y += TITLE
    parts.push(`<text x="${MARGIN}" y="${y - 8}" class="title">${escaped(name)}</text>`)
    for (const figure of drawn) {
      parts.push(...rowOf(figure, y))
      y += ROW
    }
  }
  const height = y + MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    '<title>What requests cost, in milliseconds, on a scale of powers of ten</title>',
    '<style>text{font:12px sans-serif;fill:#1f2937}.title{font-weight:600}.bar{fill:#7c93c3}.met{fill:#5a9e6f}.missed{fill:#c77b58}',
    '.spread{stroke:#1f2937}.goal{stroke:#b91c1c;stroke-dasharray:3 2}</style>',
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    ''
  ].join('\n')
}

function rowOf({ name, median, low, high, goal }: Figure, y: number): string[] {
  const isMet = goal === undefined || ('atMost' in goal ? median <= goal.atMost : median >= goal.atLeast)
  const look = goal === undefined ? 'bar' : isMet ? 'met' : 'missed'
  const middle = y + ROW / 2
  const goalMs = goal === undefined ? null : 'atMost' in goal ? goal.atMost : goal.atLeast
  return [
    `<text x="${MARGIN + 8}" y="${middle + 4}">${escaped(name)}</text>`,
    `<rect x="${NAMES}" y="${y + 3}" width="${lengthOf(median)}" height="${ROW - 6}" class="${look}"/>`,
    lineAt(NAMES + lengthOf(low), middle, NAMES + lengthOf(high), middle, 'spread'),
    ...(goalMs === null ? [] : [lineAt(NAMES + lengthOf(goalMs), y + 1, NAMES + lengthOf(goalMs), y + ROW - 1, 'goal')]),
    `<text x="${NAMES + BARS + MARGIN}" y="${middle + 4}">${median} ms${goalMs === null ? '' : ` (at most ${goalMs})`}</text>`
  ]
}

function lineAt(x1: number, y1: number, x2: number, y2: number, look: string): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${look}"/>`
}

function lengthOf(ms: number): number {
  const share = Math.log(Math.min(MOST_MS, Math.max(LEAST_MS, ms)) / LEAST_MS) / Math.log(MOST_MS / LEAST_MS)
  return Math.round(share * BARS)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
