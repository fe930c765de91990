/** Several nodes appear as one to their clients. */
import t from 'tap'
import type { Service } from '../src/service.js'
import { startJoined } from './support/joined-services.js'
import { needs } from './support/needs.js'
import { until } from './support/until.js'

type Body = Readonly<Record<string, unknown>>

const ENV = {
  SERVICE_ALLOW_ANONYMOUS: '1',
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: '0',
  SERVICE_DEBUG_UI: '1',
  SERVICE_LOG_LEVEL: 'error'
}

/** Part of the text of refusals after which the call may have taken effect. */
const UNKNOWN = 'not known'

const options = needs('nats-server', 'redis-server')

/**
 * Sends each call to the next node, and repeats it at the one after as long as it is refused without effect: on a busy machine nodes lose
 * sight of each other. Throws for any other refusal.
 */
function alternating(services: readonly Service[]) {
  let calls = 0
  return async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: unknown): Promise<Body> => {
    const send = async () => {
      const service = services[calls++ % services.length]
      if (service === undefined) throw new Error('There is no node')
      return service.http.inject({ method, url, ...(body !== undefined && { payload: body as object }) })
    }
    let answer = await send()
    await until(
      () => answer.statusCode !== 503 || answer.body.includes(UNKNOWN),
      async () => (answer = await send())
    )
    if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${String(answer.statusCode)} ${answer.body}`)
    return JSON.parse(answer.body) as Body
  }
}

/** Enough messages on one topic for the change to another to be distinguished from small talk. */
const MESSAGES = [
  'The goats graze by the river',
  'Who keeps the goats by the river?',
  'How many goats graze there today?',
  'The river floods where the goats graze',
  'Do the goats swim when the river floods?',
  'Which yeast and flour make rye bread rise overnight?',
  'Bake the rye dough in a hot oven with steam',
  'My sourdough starter smells of vinegar',
  'The kernel panics when the disk is full'
]

/** Reads a state chart of an actor, from the node that runs it. */
async function chartOf(services: readonly Service[], actor: string, machine: string): Promise<Body> {
  for (const { http } of services) {
    const { statusCode, body } = await http.inject({ url: `/v1/debug/actors/${actor}/chart` })
    if (statusCode === 200) return (JSON.parse(body) as { machines: Record<string, Body> }).machines[machine] ?? {}
  }
  throw new Error(`No node runs ${actor}`)
}

/**
 * Runs everything that groups of sessions do together. Returns the results without ids and times. A reply waits at most a second for its
 * effects elsewhere, which a busy machine exceeds; so each call waits until the charts show that the effects of the last one are complete.
 */
async function story(services: readonly Service[]): Promise<unknown> {
  const call = alternating(services)
  for (const cluster of ['red', 'blue']) {
    await call('POST', '/v1/cluster/', { cluster_id: cluster, dimension: 64, coupling_factor: 0.5 })
    for (const member of [1, 2]) {
      await call('POST', '/v1/session/create', { session_id: `${cluster}${member}`, dimension: 64 })
      await call('POST', `/v1/cluster/${cluster}/members`, { session_id: `${cluster}${member}`, weight: member })
    }
  }
  const region = await call('POST', '/v1/region/', { dimension: 64, consensus_threshold: 0.4 })
  const regionId = String(region['region_id'])
  const readEvents = async () => (await call('GET', `/v1/region/${regionId}/events?limit=100`)) as unknown as Body[]
  for (const cluster of ['red', 'blue']) await call('POST', `/v1/region/${regionId}/clusters`, { cluster_id: cluster })
  await call('POST', '/v1/observer/', { region_ids: [region['region_id']], sample_interval_seconds: 3_600 })
  const phases = new Map<string, unknown>()
  let drifts = 0
  for (const message of MESSAGES) {
    for (const session of ['red1', 'red2', 'blue1', 'blue2'])
      await call('POST', '/v1/run', { session_id: session, message, response: 'I see' })
    for (const cluster of ['red', 'blue']) {
      const { drift_phase: phase } = await call('POST', `/v1/cluster/${cluster}/run`, { message })
      if (phase === 'drifted' && phases.get(cluster) !== 'drifted') drifts += 1
      phases.set(cluster, phase)
      await until(async () => (await readEvents()).length === drifts)
      await until(async () => (await chartOf(services, `region/${regionId}`, 'realignment'))['work'] === 'idle')
    }
  }
  const feedback = await call('POST', '/v1/cluster/red/feedback')
  await until(async () => (await chartOf(services, 'cluster/red', 'sharing'))['feedback'] === 'resting')
  const transfer = await call('POST', '/v1/network/transfer', { source_session_id: 'red1', target_session_id: 'blue2', max_weight: 0.3 })
  const red = await call('GET', '/v1/cluster/red')
  const consensus = await call('POST', '/v1/network/consensus', { proposer_session_id: 'red1', target_embedding: red['aggregate_vector'] })
  const events = await readEvents()
  const sample = await call('POST', '/v1/observer/sample')
  const metrics = await call('GET', '/v1/state/metrics?session_id=blue2')
  return {
    updated: feedback['sessions_updated'],
    transferred: transfer['delta_norm'],
    approval: consensus['approval'],
    voters: (consensus['votes'] as Body[]).length,
    aggregate: red['aggregate_vector'],
    drift: red['drift_score'],
    votes: events.map(({ cluster_id, drift_score }) => [cluster_id, drift_score]),
    sampled: [sample['clusters_sampled'], sample['regions_sampled']],
    memories: metrics['total_memories'],
    similarity: metrics['mean_similarity']
  }
}

t.test('what groups of sessions do together comes to the same on three nodes as on one', options, async (t) => {
  const [one, three] = await Promise.all([1, 3].map((count) => startJoined(t, { count, env: ENV, overrides: {} })))
  const alone = await story(one ?? [])
  const together = await story(three ?? [])
  t.strictSame(rounded(together), rounded(alone))
  t.match(alone, { updated: 2, voters: 7, sampled: [2, 1] })
  t.ok((alone as { votes: unknown[] }).votes.length > 0, 'there were drifts to vote on')
})

t.test('where something lives is what the debugger shows, whichever node is asked', options, async (t) => {
  const services = await startJoined(t, { count: 2, env: ENV, overrides: {} })
  const call = alternating(services)
  const ids = Array.from({ length: 8 }, (_, at) => `s${at}`)
  for (const id of ids) await call('POST', '/v1/run', { session_id: id, message: `I am ${id}` })
  const [first, second] = await Promise.all(
    services.map(async ({ http }) => {
      const { ticket } = JSON.parse((await http.inject({ method: 'POST', url: '/v1/debug/ticket' })).body) as { ticket: string }
      return JSON.parse((await http.inject({ url: `/v1/debug/topology?ticket=${ticket}` })).body) as { nodes: Body[]; edges: Body[] }
    })
  )
  const places = (graph: typeof first) =>
    graph?.edges
      .flatMap(({ source, target }) => (String(target).startsWith('session:') ? [`${String(target)} ${String(source)}`] : []))
      .sort()
  t.strictSame(places(first), places(second))
  t.strictSame(
    places(first)?.map((place) => place.split(' ')[0]),
    ids.map((id) => `session:${id}`)
  )
  t.strictSame(new Set(places(first)?.map((place) => place.split('@')[1])), new Set(['n1', 'n2']))
})

t.test('a ticket for the debugger opens the stream of any node, once', options, async (t) => {
  const [first, second] = await startJoined(t, { count: 2, env: ENV, overrides: {} })
  const { ticket } = JSON.parse((await first?.http.inject({ method: 'POST', url: '/v1/debug/ticket' }))?.body ?? '{}') as { ticket: string }
  t.ok(ticket)
  const open = (service: Service | undefined) => service?.http.inject({ url: `/v1/debug/stream?ticket=${ticket}`, payloadAsStream: true })
  const stream = await open(second)
  t.equal(stream?.statusCode, 200)
  stream?.stream().destroy()
  for (const service of [first, second]) t.equal((await open(service))?.statusCode, 401)
})

t.test('what only the memory of nodes keeps follows its session when a node joins, and is listed whole', options, async (t) => {
  const services = await startJoined(t, { count: 2, env: ENV, overrides: {}, isMemory: true, joins: 1 })
  const [first, , third] = services
  const call = alternating(services.slice(0, 2))
  const ids = Array.from({ length: 12 }, (_, at) => `s${String(at).padStart(2, '0')}`)
  for (const id of ids) {
    await call('POST', '/v1/session/create', { session_id: id, dimension: 64 })
    await call('POST', `/v1/session/${id}/memories`, { memories: [{ text: `I am ${id}` }] })
  }
  await third?.start()
  const afterwards = alternating(services)
  for (const id of ids) {
    const { memories } = (await afterwards('GET', `/v1/session/${id}/memories`)) as { memories: Body[] }
    t.match(memories, [{ text: `I am ${id}` }])
  }
  for (const service of services) {
    const { sessions } = JSON.parse((await service.http.inject({ url: '/v1/sessions' })).body) as { sessions: Body[] }
    t.strictSame(
      sessions.map(({ session_id }) => session_id),
      ids
    )
  }
  t.ok(Number((JSON.parse((await third?.http.inject({ url: '/v1/health' }))?.body ?? '{}') as Body)['active_sessions']) > 0)
  t.equal(
    (await first?.http.inject({ method: 'POST', url: '/v1/session/create', payload: { session_id: 's00' } }))?.statusCode,
    409,
    'there is one of each'
  )
})

t.test('what only the memory of a node keeps is handed over when the node is stopped', options, async (t) => {
  const services = await startJoined(t, { count: 2, env: ENV, overrides: {}, isMemory: true })
  const call = alternating(services)
  const ids = Array.from({ length: 12 }, (_, at) => `s${String(at).padStart(2, '0')}`)
  for (const id of ids) await call('POST', '/v1/run', { session_id: id, message: `I am ${id}` })
  for (const { http } of services)
    t.match(JSON.parse((await http.inject({ url: '/v1/days' })).body), { days: [{ turns: 12 }], sessions: 12 }, 'of all, on each')
  await services[0]?.close()
  const left = alternating(services.slice(1))
  for (const id of ids) t.match(await left('GET', `/v1/session/${id}/memories`), { memories: [{ text: `I am ${id}` }] })
})

/** Rounds numbers to six digits, because sums depend on the order in which answers arrive. */
function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === 'number' ? Number(part.toFixed(6)) : part))
}
