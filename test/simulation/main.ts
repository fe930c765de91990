/**
 * Simulates nodes under faults, seed by seed: `-- --seeds 10000 --from 1`. Shrinks and prints the first seed with a violation, then exits
 * with 1. `--seed 7 --story` prints one seed; `--bug NAME`, or `all`, looks for the first seed that finds a planted bug.
 */
import process from 'node:process'
import { readArguments } from '../../src/tools/arguments.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { type Bug, BUGS } from './bugs.js'
import { planOf } from './plan.js'
import { shrink } from './shrink.js'
import { type Outcome, simulate } from './simulation.js'

/** Default numbers of seeds: for the nodes as they are, and for finding a planted bug. */
const SEEDS = 200
const BUG_SEEDS = 1_000

/** Milliseconds between lines of progress. */
const PROGRESS_MS = 2_000

const clock = createSystemClock()
const USAGE = `npm run simulate -- [--seeds N] [--from N] [--seed N] [--bug NAME] [--story]
  --seeds how many are tried, the first that goes wrong is told
  --from  the first of them
  --seed  this one alone
  --bug   looks for a planted mistake, or for all: ${BUGS.map(({ name }) => name).join(', ')}
  --story tells it`
const { values } = readArguments(USAGE, {
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    bug: { type: 'string' },
    story: { type: 'boolean', default: false }
  }
})

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function whole(name: string, text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} takes a whole number from 0`)
  return value
}

interface Found {
  readonly seed: number
  readonly outcome: Outcome
}

/** Returns the first of the seeds with a violation; null if there is none. */
async function search(seeds: { readonly from: number; readonly count: number }, bug: Bug | null): Promise<Found | null> {
  const until = seeds.from + seeds.count
  const beganAtMs = clock.monotonicMs()
  let toldAtMs = beganAtMs
  for (let seed = seeds.from; seed < until; seed++) {
    const outcome = await simulate(planOf(seed), bug)
    if (outcome.violations.length > 0) return { seed, outcome }
    const nowMs = clock.monotonicMs()
    if (nowMs - toldAtMs < PROGRESS_MS && seed !== until - 1) continue
    toldAtMs = nowMs
    const done = seed - seeds.from + 1
    say(
      `${String(done)} of ${String(seeds.count)} seeds, ${((nowMs - beganAtMs) / done).toFixed(0)} ms each${bug === null ? '' : `, ${bug.name}`}`
    )
  }
  return null
}

/** Shrinks the plan of a seed with a violation and prints a summary, preceded by the story if `isTold`. */
async function tell({ seed, outcome }: Found, bug: Bug | null, isTold: boolean): Promise<void> {
  const plan = planOf(seed)
  const small = await shrink(plan, outcome, { bug })
  const { faults, operations } = small.plan
  if (isTold) for (const line of small.outcome.story) say(line)
  const [violation] = small.outcome.violations
  say(
    `${bug?.name ?? 'a violation'}: seed ${String(seed)}, ${violation?.property ?? ''}, ${String(small.outcome.story.length)} lines; ` +
      `${String(faults.length)} of ${String(plan.faults.length)} faults and ${String(operations.length)} of ${String(plan.operations.length)} ` +
      `operations are enough (${String(small.runs)} runs)`
  )
}

function bugsNamed(name: string): readonly Bug[] {
  const bugs = name === 'all' ? BUGS : BUGS.filter((bug) => bug.name === name)
  if (bugs.length === 0) throw new Error(`--bug takes all, or one of ${BUGS.map((bug) => bug.name).join(', ')}`)
  return bugs
}

async function main(): Promise<boolean> {
  const { seed, bug, story } = values
  const from = whole('seed', seed ?? values.from)
  const count = seed !== undefined ? 1 : whole('seeds', values.seeds ?? String(bug === undefined ? SEEDS : BUG_SEEDS))
  const bugs = bug === undefined ? [] : bugsNamed(bug)
  let isWell = true
  for (const planted of bugs) {
    const found = await search({ from, count }, planted)
    if (found === null) say(`${planted.name}: not found`)
    else await tell(found, planted, story)
    isWell &&= found !== null
  }
  if (bugs.length > 0) return isWell
  if (seed !== undefined && story) {
    const { story: lines } = await simulate(planOf(from))
    for (const line of lines) say(line)
  }
  const found = await search({ from, count }, null)
  if (found !== null) await tell(found, null, true)
  return found === null
}

process.exitCode = (await main()) ? 0 : 1
