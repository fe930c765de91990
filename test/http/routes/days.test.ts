/** Days of a session, and their sums over a subject: on one node and on several, from memory and from storage. */
import t from 'tap'
import { DAYS_MAX } from '../../../src/domain/day-counts.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
import { needs } from '../../support/needs.js'
import { type Caller, finding, startService } from '../../support/real-service.js'

const DAY_S = 86_400
const QUESTION = 'How do I enable 2FA for my mail account?'
const ANSWER = 'Settings, Security, Two-step verification, then choose an app.'

type Day = Readonly<Record<'turns' | 'drifted_turns' | 'short_circuits' | 'saved_tokens', number>> & { readonly date: string }

/** Three turns, of which the last is a short circuit. */
async function converse(caller: Caller, id: string): Promise<void> {
  await caller.post('/v1/run', { session_id: id, message: QUESTION })
  await caller.post('/v1/run', { session_id: id, message: 'Which soil suits roses?', response: ANSWER })
  t.equal((await caller.post('/v1/run', { session_id: id, message: QUESTION })).body['short_circuit'], true)
}

async function daysOf(caller: Caller, id: string): Promise<readonly Day[]> {
  return (await caller.get(`/v1/session/${id}/days`)).body['days'] as readonly Day[]
}

const sumOf = (days: readonly Day[], name: Exclude<keyof Day, 'date'>): number => days.reduce((sum, day) => sum + day[name], 0)

for (const { nodes, name, options } of [
  { nodes: 1, name: 'one node', options: {} },
  { nodes: 3, name: 'three nodes', options: needs('nats-server', 'redis-server') }
]) {
  t.test(`${name}: the days of a subject are the sums over its sessions, and nobody else's`, options, async (t) => {
    const { as } = await startService(t, { nodes })
    const [alice, mallory] = [await as('alice'), await as('mallory')]
    const nothing = { status: 200, body: { days: [], sessions: 0, next: null } }
    t.strictSame(await alice.get('/v1/days'), nothing)
    for (const id of ['a', 'b', 'c']) await converse(alice, id)
    await alice.post('/v1/session/create', { session_id: 'idle' })
    for (let n = 0; n < nodes; n++) t.strictSame(await mallory.get('/v1/days'), nothing, 'whichever node is asked')
    const own = (await Promise.all(['a', 'b', 'c'].map((id) => daysOf(alice, id)))).flat()
    for (let n = 0; n < nodes; n++) {
      const { body } = await alice.get('/v1/days')
      const days = body['days'] as readonly Day[]
      t.match(body, { sessions: 4, next: null })
      t.equal(sumOf(days, 'turns'), 9)
      t.equal(sumOf(days, 'short_circuits'), 3)
      for (const field of ['drifted_turns', 'saved_tokens'] as const) t.equal(sumOf(days, field), sumOf(own, field), field)
      t.ok(sumOf(days, 'saved_tokens') > 0)
    }
    await converse(mallory, 'a')
    t.match((await mallory.get('/v1/days')).body, { days: [{ turns: 3, short_circuits: 1 }], sessions: 1 })
    await alice.delete('/v1/session/b')
    t.match((await alice.get('/v1/days')).body, { days: [{ turns: 6, short_circuits: 2 }], sessions: 3 })
  })

  t.test(`${name}: the sums come page by page, each session once`, options, async (t) => {
    const alice = await (await startService(t, { nodes })).as('alice')
    for (const id of ['a', 'b', 'c']) await alice.post('/v1/run', { session_id: id, message: 'Hello' })
    t.match((await alice.get('/v1/days?max_sessions=2')).body, { days: [{ turns: 2 }], sessions: 2, next: 'b' })
    t.match((await alice.get('/v1/days?max_sessions=2&after=b')).body, { days: [{ turns: 1 }], sessions: 1, next: null })
  })
}

t.test('days of a subject: a month of them, oldest first, also of sessions that are only stored, and none is used', async (t) => {
  const manual = createManualClock()
  let laterS = 0
  const clock = { ...manual, now: () => manual.now() + laterS }
  const storage = createMemoryStorage({ retains: true })
  const env = { SERVICE_SESSION_IDLE_TTL_S: '100', SERVICE_SESSION_SWEEP_S: '10' }
  const alice = await (await startService(t, { env, overrides: { clock, storage } })).as('alice')
  const dateOf = (daysAgo: number) => new Date((clock.now() - daysAgo * DAY_S) * 1_000).toISOString().slice(0, 10)
  const turnsByDate = async () => ((await alice.get('/v1/days')).body['days'] as readonly Day[]).map(({ date, turns }) => [date, turns])
  await alice.post('/v1/run', { session_id: 'old', message: 'one' })
  laterS = DAY_S
  await alice.post('/v1/run', { session_id: 'old', message: 'two' })
  await alice.post('/v1/run', { session_id: 'young', message: 'one' })
  const both = [
    [dateOf(1), 1],
    [dateOf(0), 2]
  ]
  t.strictSame(await turnsByDate(), both)
  await manual.advance(120_000)
  t.match((await alice.get('/v1/health')).body, { active_sessions: 0 })
  t.strictSame(await turnsByDate(), both)
  t.match((await alice.get('/v1/health')).body, { active_sessions: 0 }, 'nobody was woken')
  laterS = DAYS_MAX * DAY_S
  t.strictSame(await turnsByDate(), [[dateOf(DAYS_MAX - 1), 2]], 'the first day is a month ago')
  laterS += DAY_S
  t.strictSame(await turnsByDate(), [])
})

t.test('days of a subject: bad input, 422 with the loc of the field', async (t) => {
  const alice = await (await startService(t)).as('alice')
  for (const [query, outcome] of [
    ['max_sessions=0', 'query.max_sessions: greater_than_equal'],
    ['max_sessions=1001', 'query.max_sessions: less_than_equal'],
    ['after=a%20b', 'query.after: string_pattern_mismatch']
  ])
    t.equal(finding(await alice.get(`/v1/days?${query}`)), outcome)
})
