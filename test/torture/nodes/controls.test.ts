// Control tests of the checker: it finds violations in nodes without one of the mechanisms, and none in the same nodes with all of them.
import t, { type Test } from 'tap'
import { needs } from '../../support/needs.js'
import { compiledProgram } from '../../support/program.js'
import { checkHistory } from './linearizability.js'
import { startTeam } from './node-team.js'
import { type Asks, tellTakeover } from './takeover-story.js'
import { countViolations, type Violation, type ViolationSort } from './violation.js'

/** Most stories: another one is told if the paused node heard of the others before it was asked. */
const STORIES_MAX = 3

const options = needs('nats-server', 'initdb')
const program = await compiledProgram('test/torture/nodes/faulty-node.ts')
t.setTimeout(600_000)

t.test('nodes that know nothing of their own pauses, with nothing taken out: no violation', options, async (t) => {
  t.strictSame(await violations(t, 'sound', 'reads and writes'), [])
})

t.test('nodes that commit without being fenced: found out', options, async (t) => {
  const found = countViolations(await violations(t, 'unfenced', 'reads and writes'))
  t.ok(sum(found) > 0, JSON.stringify(found))
})

t.test('nodes that answer reads without asking the storage: found out', options, async (t) => {
  const found = countViolations(await violations(t, 'unverified', 'reads'))
  // What the last reads miss too counts as lost rather than stale.
  t.ok(found.stale + found.lost > 0, JSON.stringify(found))
})

/** Violations of the first story that has any. */
async function violations(t: Test, fault: string, asks: Asks): Promise<Violation[]> {
  const team = await startTeam({ program: [program, fault], backend: 'postgres', lines: 'direct' })
  t.teardown(() => team.stop())
  for (let number = 0; number < STORIES_MAX; number++) {
    const found = checkHistory(await tellTakeover(team, { number, asks }))
    if (found.length > 0) return found
    await team.heal()
  }
  return []
}

function sum(found: Readonly<Record<ViolationSort, number>>): number {
  return Object.values(found).reduce((total, count) => total + count, 0)
}
