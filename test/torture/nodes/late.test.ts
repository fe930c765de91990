// A first try that arrives late, after its retry was acknowledged and many other requests were done, changes nothing. TORTURE_ROUNDS
// selects the long form: `npm run torture:late`.
import process from 'node:process'
import t from 'tap'
import { builtProgram } from '../../support/built.js'
import { needs } from '../../support/needs.js'
import { createChance } from '../chance.js'
import { type BackendName, BACKENDS } from './backends.js'
import { LATE_FAULTS, LATE_KINDS, type LateFault, type LateRound, tellLate } from './late-story.js'
import { startTeam } from './node-team.js'

const env = process.env
const SEED = Number(env['TORTURE_SEED'] ?? Math.floor(Math.random() * 2 ** 32))
const LONG_ROUNDS = Number(env['TORTURE_ROUNDS'] ?? 0)
/** Number of sessions of each kind per fault. */
const SESSIONS_A_KIND = LONG_ROUNDS === 0 ? 1 : 4
const KINDS = LATE_KINDS.flatMap((kind) => Array.from({ length: SESSIONS_A_KIND }, () => kind))
/** Most milliseconds for one fault, on a busy machine. */
const STRIKE_MS_MAX = 180_000

const chosen = <Name extends string>(names: readonly Name[], list: string | undefined) =>
  names.filter((name) => list?.split(',').includes(name) ?? true)
const backends = LONG_ROUNDS === 0 ? (['postgres'] as const) : chosen(Object.keys(BACKENDS) as BackendName[], env['TORTURE_BACKENDS'])
const faults: readonly LateFault[] = LONG_ROUNDS === 0 ? ['paused', 'stuck'] : chosen(LATE_FAULTS, env['TORTURE_FAULTS'])

const program = [await builtProgram('src/main')] as const
t.setTimeout(STRIKE_MS_MAX * (2 + Math.ceil(LONG_ROUNDS / KINDS.length)) * backends.length)

for (const backend of backends) {
  t.test(
    `a first try that arrives late over ${backend} changes nothing after its retry was acknowledged`,
    needs('nats-server', ...BACKENDS[backend].needs),
    async (t) => {
      const chance = createChance(SEED)
      const team = await startTeam({ program, backend, lines: 'proxies' })
      t.teardown(() => team.stop())
      const rounds: LateRound[] = []
      for (let number = 0; number < faults.length || rounds.length < LONG_ROUNDS; number++) {
        rounds.push(...(await tellLate(team, { fault: faults[number % faults.length] as LateFault, chance, kinds: KINDS, number })))
      }
      t.comment(`${backend}: ${summaryOf(rounds)}, seed ${SEED}`)
      t.strictSame(
        rounds.filter(({ violation }) => violation !== null),
        []
      )
      t.equal(rounds.length % KINDS.length, 0, 'every round was told to its end')
    }
  )
}

/** For each fault and kind: the number of rounds, of those that a node retried itself, and of those with a violation. */
function summaryOf(rounds: readonly LateRound[]): string {
  const sorts = faults.flatMap((fault) => LATE_KINDS.map((kind) => rounds.filter((round) => round.fault === fault && round.kind === kind)))
  const told = sorts.flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const byNode = own.filter(({ retriedBy }) => retriedBy === 'node').length
    return [`${first.fault} ${first.kind} ${own.length}/${byNode}/${own.filter(({ violation }) => violation !== null).length}`]
  })
  return `${rounds.length} rounds; of each sort all/retried by a node/wrong: ${told.join(', ')}`
}
