import { request } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import t from 'tap'
import { createInspectionStory, createRedactedInspect, openInspection, type RedactedEvent } from '../../src/tools/inspection.js'
import { newPage, skipWithoutBrowser } from '../support/chromium.js'
import { startService } from '../support/real-service.js'
import { until } from '../support/until.js'

t.test('inspection: a real run, told as states and commands without any of its texts, vectors or names', async (t) => {
  const told: RedactedEvent[] = []
  const { as } = await startService(t, { overrides: { inspect: createRedactedInspect((event) => told.push(event)) } })
  const ann = await as('subject-ann')
  const embedding = Array.from({ length: 384 }, () => 0.123456)
  await ann.post('/v1/session/create', { session_id: 'session-anna', template_embedding: embedding })
  const { status } = await ann.post('/v1/run', { session_id: 'session-anna', message: 'The sesame opens at nine.', user_id: 'user-bob' })
  t.equal(status, 200)
  await ann.get('/v1/session/session-anna/memories/0123456789abcdef0123456789abcdef')
  await ann.delete('/v1/session/session-anna')

  t.ok(
    told.some(({ type, name }) => type === '@xstate.actor' && name?.startsWith('session ')),
    'the actor of the session'
  )
  t.ok(
    told.some(({ event }) => event?.type === 'changes.commit'),
    'what it is told'
  )
  t.ok(
    told.some(({ snapshot }) => JSON.stringify(snapshot?.value) === '{"active":"settled"}'),
    'its states'
  )
  t.notMatch(JSON.stringify(told), /sesame|subject-ann|session-anna|user-bob|0\.123456|0123456789abcdef/)
  for (const { snapshot, event } of told) {
    if (snapshot !== undefined) t.strictSame(snapshot.context, {})
    if (event !== undefined) t.strictSame(Object.keys(event), ['type'])
  }
})

t.test('inspection: one tree, from the node to the charts of what is in memory', async (t) => {
  const told: RedactedEvent[] = []
  const { as } = await startService(t, { overrides: { inspect: createRedactedInspect((event) => told.push(event)) } })
  const ann = await as('ann')
  for (const session_id of ['one', 'two']) await ann.post('/v1/session/create', { session_id })
  await ann.post('/v1/cluster/', { cluster_id: 'team' })
  const { body } = await ann.post('/v1/region/', {})
  await ann.post(`/v1/region/${String(body['region_id'])}/clusters`, { cluster_id: 'team' })
  t.equal((await ann.post('/v1/observer/', { region_ids: [body['region_id']] })).status, 201)
  // Events are reported a little later than they happen.
  await until(() => told.some(({ name }) => name?.startsWith('watching') === true))

  const machines = new Map<string | undefined, string | undefined>()
  const ties = new Set<string>()
  for (const { type, name, sessionId, parentId, rootId } of told) {
    if (type !== '@xstate.actor') continue
    t.equal(rootId, told[0]?.rootId)
    machines.set(sessionId, name?.split(' ')[0])
    // Effects are named after the state that runs them.
    if (name?.startsWith('0.') === true) continue
    ties.add(`${String(machines.get(sessionId))} < ${String(machines.get(parentId))}`)
  }
  const kinds = ['cluster', 'observer', 'region', 'session'].map((kind) => `${kind} < supervisor`)
  const charts = ['mind < session', 'realignment < region', 'sharing < cluster', 'watching < observer']
  for (const kind of ['session', 'cluster', 'region', 'observer', 'network'])
    t.ok(
      told.some(({ name }) => name?.startsWith(`supervisor of ${kind} `)),
      kind
    )
  t.strictSame([...ties].sort(), ['node < undefined', 'supervisor < node', ...kinds, ...charts].sort())
})

/** Events that the first actor of a machine received, with its state after each. */
function storyOf(told: readonly RedactedEvent[], machine: string): { readonly type: string | undefined; readonly value: unknown }[] {
  const own = told.find(({ type, name }) => type === '@xstate.actor' && name?.startsWith(`${machine} `))?.sessionId
  return told.flatMap(({ type, sessionId, event, snapshot }) =>
    type === '@xstate.snapshot' && sessionId === own ? [{ type: event?.type, value: snapshot?.value }] : []
  )
}

t.test(
  'inspection: a turn that drifts can be followed at the session and at its chart, which is where it was when the session comes back',
  async (t) => {
    const told: RedactedEvent[] = []
    const env = { SERVICE_MAX_SESSIONS: '1', SERVICE_STATE_PERSIST: '1', DATABASE_URL: `sqlite:${join(t.testdir(), 'sessions.db')}` }
    const { as } = await startService(t, { env, overrides: { inspect: createRedactedInspect((event) => told.push(event)) } })
    const ann = await as('ann')
    const commits = () => storyOf(told, 'session').filter(({ type }) => type === 'commit.finish').length
    /** Runs a turn and waits, because events are reported a little later than the answer. */
    const run = async (message: string) => {
      const before = commits()
      const { body } = await ann.post('/v1/run', { session_id: 's', message })
      await until(async () => commits() > before)
      return body
    }
    await ann.post('/v1/session/create', { session_id: 's' })
    for (let n = 0; n < 6; n++) await run(`prune the roses in March, said gardener ${String(n)}`)
    const before = { session: storyOf(told, 'session').length, mind: storyOf(told, 'mind').length }
    t.match(await run('quarterly earnings of Belgian banks'), { drift_phase: 'drifted', phase: 'instability' })
    const drifted = { drift: { drifted: 'over' }, understanding: 'instability', isolation: 'OPEN', realignment: 'resting' }
    t.match(storyOf(told, 'mind').slice(before.mind), [
      { type: 'input.offered', value: { drift: 'stable', understanding: 'resonance' } },
      { type: 'message.judged', value: drifted }
    ])
    t.strictSame(storyOf(told, 'session').slice(before.session), [
      { type: 'changes.commit', value: { active: 'committing' } },
      { type: 'commit.finish', value: { active: 'settled' } }
    ])

    await ann.post('/v1/session/create', { session_id: 'other' })
    await until(async () => storyOf(told, 'session').some(({ value }) => value === 'evicted'))
    const evicted = told.length
    t.match((await ann.get('/v1/metrics/s')).body, { drift_phase: 'drifted' })
    const charts = () => told.slice(evicted).filter(({ type, name }) => type === '@xstate.actor' && name?.startsWith('mind '))
    await until(async () => charts().length > 0)
    t.match(
      charts().map(({ snapshot }) => snapshot?.value),
      [drifted]
    )
  }
)

t.test('inspection: on loopback, and closed to pages of other names', async (t) => {
  const inspection = await openInspection()
  t.teardown(() => inspection.close())
  t.match(inspection.url, /^http:\/\/127\.0\.0\.1:\d+\/$/)
  t.match(await (await fetch(inspection.url)).text(), /stately\.ai\/inspect/)
  const status = await new Promise((resolve, reject) => {
    request(inspection.url, { headers: { host: 'elsewhere.example' } }, (response) => {
      resolve(response.resume().statusCode)
    })
      .on('error', reject)
      .end()
  })
  t.equal(status, 403)
})

/** Far more turns than the story keeps events for. */
const TURNS = 400

t.test(
  'inspection: the official receiver in a page that joins late is told the whole tree as it stands, and then what happens',
  { skip: skipWithoutBrowser },
  async (t) => {
    const inspection = await openInspection()
    t.teardown(() => inspection.close())
    const { as } = await startService(t, { nodes: 1, overrides: { inspect: inspection.inspect } })
    const ann = await as('subject-ann')
    await ann.post('/v1/session/create', { session_id: 'anna' })
    await ann.post('/v1/session/create', { session_id: 'gone' })
    await ann.delete('/v1/session/gone')
    for (let turn = 0; turn < TURNS; turn++) await ann.get('/v1/session/anna')

    const page = await newPage(t)
    await page.route('https://stately.ai/**', async (route) => route.fulfill({ contentType: 'text/html', body: await receiverPage() }))
    await page.goto(inspection.url)
    const frame = page.frame({ url: /stately\.ai/ })
    const told = async () => (await frame?.evaluate<RedactedEvent[]>('window.told')) ?? []
    const sessionsIn = (events: readonly RedactedEvent[]) =>
      events.filter(({ type, snapshot }) => type === '@xstate.actor' && JSON.stringify(snapshot?.value).includes('settled'))
    // They come one by one, the oldest first.
    await until(async () => sessionsIn(await told()).length > 0)
    const before = await told()
    const own = sessionsIn(before)[0]?.sessionId

    await ann.put('/v1/session/anna/isolation', { level: 'FILTER' })
    await until(async () =>
      (await told()).slice(before.length).some((event) => event.type === '@xstate.snapshot' && event.sessionId === own)
    )
    const all = await told()
    const actors = all.filter(({ type }) => type === '@xstate.actor')
    const known = new Set<string | undefined>([undefined])
    for (const { sessionId, parentId } of actors) {
      t.ok(known.has(parentId), 'parents first')
      known.add(sessionId)
    }
    t.equal(known.size - 1, actors.length, 'each once')
    t.strictSame(
      actors.map(({ snapshot }) => snapshot?.status).filter((status) => status !== 'active'),
      []
    )
    t.equal(sessionsIn(all).length, 1, 'the session that is there, in its state, and not the one that is gone')
  }
)

t.test('inspection story: of actors that end, and of more events than are kept, those that live stay', async (t) => {
  const story = createInspectionStory(2)
  const event = (type: RedactedEvent['type'], sessionId: string, status: string) => ({
    type,
    sessionId,
    id: '',
    rootId: 'x:0',
    createdAt: '',
    _version: '',
    snapshot: { status, value: sessionId, context: {} }
  })
  story.tell(event('@xstate.actor', 'x:0', 'active'))
  story.tell(event('@xstate.actor', 'x:1', 'active'))
  for (let count = 0; count < 5; count++) story.tell(event('@xstate.snapshot', 'x:0', 'active'))
  story.tell(event('@xstate.snapshot', 'x:1', 'done'))
  t.same(
    story.whole().map(({ type, sessionId }) => [type, sessionId]),
    [
      ['@xstate.actor', 'x:0'],
      ['@xstate.snapshot', 'x:0']
    ]
  )
})

/** A page with the receiver of Stately's own page, in place of the view that draws. */
async function receiverPage(): Promise<string> {
  const stdin = {
    contents:
      "import { createBrowserReceiver } from '@statelyai/inspect'; window.told = []; createBrowserReceiver().subscribe((event) => window.told.push(event))",
    resolveDir: import.meta.dirname
  }
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'iife', platform: 'browser' })
  return `<!doctype html><script>${outputFiles[0]?.text.replaceAll('</script', '<\\/script') ?? ''}</script>`
}
