/** Reads which characters of which modules a test ran, as V8 reports it for each of its processes (`NODE_V8_COVERAGE`). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Boundaries between code that ran and code that did not, ascending: `spans[0]` up to but excluding `spans[1]` ran, and so on. */
export type Spans = readonly number[]

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

/** Coverage by source (`src/x.ts`) of the modules in `folder`, read from the files that processes left in `reports`. */
export function readCoverage(reports: string, folder: string, isWanted: (file: string) => boolean): Map<string, Spans> {
  const ran = new Map<string, Uint8Array>()
  for (const name of readdirSync(reports)) {
    const { result } = JSON.parse(readFileSync(join(reports, name), 'utf8')) as { result: readonly Script[] }
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue
      const path = fileURLToPath(url)
      if (!path.startsWith(folder)) continue
      const file = path.slice(folder.length).replace(/\.js$/, '.ts')
      if (!isWanted(file)) continue
      const painted = paint(functions.flatMap(({ ranges }) => ranges))
      const known = ran.get(file)
      ran.set(file, known === undefined ? painted : known.map((count, at) => count | (painted[at] ?? 0)))
    }
  }
  return new Map([...ran].map(([file, painted]) => [file, spansOf(painted)]))
}

export function hasRun(spans: Spans, at: number): boolean {
  return spans.filter((end) => end <= at).length % 2 === 1
}

/** Inner ranges override the ranges around them. */
function paint(ranges: readonly Range[]): Uint8Array {
  const inwards = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset)
  const painted = new Uint8Array(Math.max(0, ...ranges.map(({ endOffset }) => endOffset)))
  for (const { startOffset, endOffset, count } of inwards) painted.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return painted
}

function spansOf(painted: Uint8Array): Spans {
  const ends: number[] = []
  let last = 0
  for (const [at, value] of painted.entries()) {
    if (value !== last) ends.push(at)
    last = value
  }
  return last === 1 ? [...ends, painted.length] : ends
}
