/**
 * `npm run bench`: runs every measure in its own process, prints the results, stores them in `bench/results` and draws them into
 * `docs/performance.svg`. `--only NAME` runs one measure and keeps the other results; `--compare` stores nothing, and prints each figure as
 * a ratio to the stored one; `--short` measures almost nothing and stores nothing, to test the measures.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments, refuseArguments } from '../src/tools/arguments.js'
import { drawFigures } from './drawing.js'
import type { Findings } from './figures.js'
import { MEASURES } from './measures.js'
import { linesOf, type Results } from './report.js'

const STORED = new URL('results/bench.json', import.meta.url)
const DRAWN = new URL('../docs/performance.svg', import.meta.url)
const PROGRAM = fileURLToPath(new URL(`./measure-main${extname(import.meta.url)}`, import.meta.url))

const USAGE = `npm run bench -- [--only NAME]… [--compare] [--short]
  --only    that measure alone: ${Object.keys(MEASURES).join(', ')}
  --compare stores nothing, and prints each figure as a ratio to the stored one
  --short   measures next to nothing and stores nothing`

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, {
    options: { only: { type: 'string', multiple: true }, compare: { type: 'boolean' }, short: { type: 'boolean' } }
  })
  const names = values.only ?? Object.keys(MEASURES)
  const unknown = names.find((name) => !Object.hasOwn(MEASURES, name))
  if (unknown !== undefined) refuseArguments(USAGE, `There is no measure ${unknown}`)
  const stored = existsSync(STORED) ? (JSON.parse(readFileSync(STORED, 'utf8')) as Results) : {}
  const machine = `Node ${process.version}, ${String(cpus().length)} × ${cpus()[0]?.model ?? 'unknown processor'}`
  console.log(machine)
  const results: Record<string, Results[string]> = { ...stored }
  for (const name of names) {
    const findings = await findingsOf(name, values.short === true)
    results[name] = { machine, ...findings }
    for (const line of linesOf(name, findings, values.compare === true ? stored[name] : undefined)) console.log(line)
  }
  if (values.compare === true || values.short === true) return
  writeFileSync(STORED, `${JSON.stringify(results, null, 1)}\n`)
  writeFileSync(DRAWN, drawFigures(results))
}

async function findingsOf(name: string, isShort: boolean): Promise<Findings> {
  const child = fork(PROGRAM, [name, ...(isShort ? ['--short'] : [])], {
    execArgv: [...process.execArgv, '--expose-gc'],
    // JSON would turn NaN into null.
    serialization: 'advanced'
  })
  const found: Findings[] = []
  child.on('message', (findings: Findings) => found.push(findings))
  const [code] = (await once(child, 'exit')) as [number | null]
  const [findings] = found
  if (findings === undefined) throw new Error(`${name} ended with ${String(code)}`)
  return findings
}

await main()
