/** Shrinks a plan with a violation while it still violates the same property. Method: Zeller and Hildebrandt, ddmin (2002). */
import type { Bug } from './bugs.js'
import type { Plan } from './plan.js'
import { type Outcome, simulate } from './simulation.js'

export interface Shrunk {
  readonly plan: Plan
  readonly outcome: Outcome
  /** Number of simulations that it took. */
  readonly runs: number
}

/** Default limit on simulations: a smaller story is worth some seconds. */
const RUNS_MAX = 300

export interface ShrinkOptions {
  readonly bug?: Bug | null
  readonly runsMax?: number
}

/** `outcome`: that of `plan`, with at least one violation. */
export async function shrink(plan: Plan, outcome: Outcome, { bug = null, runsMax = RUNS_MAX }: ShrinkOptions = {}): Promise<Shrunk> {
  const properties = new Set(outcome.violations.map(({ property }) => property))
  let best: Shrunk = { plan, outcome, runs: 0 }
  let runs = 0

  /** Simulates a smaller plan and keeps it if it violates one of the same properties. Returns whether it did. */
  async function tryLess(less: Plan): Promise<boolean> {
    if (runs >= runsMax) return false
    runs += 1
    const found = await simulate(less, bug)
    if (!found.violations.some(({ property }) => properties.has(property))) return false
    best = { plan: less, outcome: found, runs }
    return true
  }
  /** Removes as much of one list as possible. */
  async function thin(part: 'faults' | 'operations'): Promise<void> {
    for (let size = Math.ceil(best.plan[part].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let at = 0; at < best.plan[part].length;) {
        const left = [...best.plan[part].slice(0, at), ...best.plan[part].slice(at + size)]
        if (!(await tryLess({ ...best.plan, [part]: left }))) at += size
      }
    }
  }

  await thin('faults')
  await thin('operations')
  await thin('faults')
  await tryLess({ ...best.plan, nodes: best.plan.nodes.map(({ name }) => ({ name, skewS: 0, rate: 1 })) })
  return { ...best, runs }
}
