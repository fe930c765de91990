import t from 'tap'
import { BUGS } from './bugs.js'
import { FAULT_KINDS } from './faults.js'
import { planOf } from './plan.js'
import { shrink } from './shrink.js'
import { type Outcome, simulate } from './simulation.js'

/**
 * Number of seeds simulated; `npm run simulate` can run any number. All kinds of faults are among them, and they find nine of the ten
 * planted bugs. Each bug is found by one of `FOUND_BY`, which are also simulated without it.
 */
const SEEDS = 60

/** The first seed that finds each planted bug, as `npm run simulate -- --bug all` prints. */
const FOUND_BY: Readonly<Record<string, number>> = {
  'fencing-unchecked': 19,
  'acknowledged-early': 6,
  'log-left-behind': 11,
  'outbox-lost-in-crash': 2,
  'outbox-not-known-again': 15,
  'silent-node-goes-on': 36,
  'ring-stays-as-it-was': 1,
  'vote-counted-twice': 10,
  'retry-taken-for-new': 185,
  'lease-by-the-wall-clock': 10
}

/** Number of simulations within which a story must become much smaller. */
const RUNS_MAX = 24

/** Cache of the outcome of each seed without a planted bug: a simulation takes a sixth of a second. */
const outcomes = new Map<number, Outcome>()

async function outcomeOf(seed: number): Promise<Outcome> {
  const outcome = outcomes.get(seed) ?? (await simulate(planOf(seed)))
  outcomes.set(seed, outcome)
  return outcome
}

t.test(`nodes under faults: ${String(SEEDS)} seeds, and nothing is lost, doubled, stale or left waiting`, async (t) => {
  const befallen = new Set<string>()
  for (let seed = 1; seed <= SEEDS; seed++) {
    const plan = planOf(seed)
    for (const { kind } of plan.faults) befallen.add(kind)
    const outcome = await outcomeOf(seed)
    if (outcome.violations.length === 0) continue
    const { outcome: small } = await shrink(plan, outcome)
    for (const line of small.story) t.comment(line)
    t.strictSame(small.violations, [], `seed ${String(seed)}`)
    return
  }
  t.strictSame([...befallen].sort(), [...FAULT_KINDS].sort(), 'every kind of fault was among them')
})

t.test('a seed tells the same story each time, and another seed another one', async (t) => {
  const [first, second, other] = [await outcomeOf(3), await simulate(planOf(3)), await outcomeOf(4)]
  t.equal(first.story.join('\n'), second.story.join('\n'))
  t.equal(first.fingerprint, second.fingerprint)
  t.not(first.fingerprint, other.fingerprint)
})

for (const [name, seed] of Object.entries(FOUND_BY)) {
  t.test(`a planted mistake is found: ${name}`, async (t) => {
    const bug = BUGS.find((planted) => planted.name === name)
    if (bug === undefined) throw new Error('nobody planted it')
    t.not((await simulate(planOf(seed), bug)).violations.length, 0, 'with the mistake')
    t.strictSame((await outcomeOf(seed)).violations, [], 'without it')
  })
}

t.test('a story is made smaller and goes wrong in the same way', async (t) => {
  const [bug] = BUGS
  if (bug === undefined) throw new Error('there is no bug')
  const plan = planOf(FOUND_BY[bug.name] ?? 0)
  const outcome = await simulate(plan, bug)
  const small = await shrink(plan, outcome, { bug, runsMax: RUNS_MAX })
  const properties = outcome.violations.map(({ property }) => property)
  t.ok(small.outcome.violations.some(({ property }) => properties.includes(property)))
  t.ok(small.plan.operations.length < plan.operations.length / 2, `${String(small.plan.operations.length)} operations are left`)
  t.strictSame((await simulate(small.plan, bug)).violations, small.outcome.violations, 'and again')
})
