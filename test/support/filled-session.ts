/** A session that contains something of every kind, and everything that callers can observe of it. */
import type { Test } from 'tap'
import { createManualClock } from './manual-clock.js'
import { type Caller, startService } from './real-service.js'

/** A JSON object. */
export type Json = Record<string, unknown>

export interface StateDict extends Json {
  session: Json & {
    memories: { memory: Json; stats: Json }[]
    head: Json & { settings: Json; folds: Json[] }
    entities: Json[]
    anchors: Json[]
    triggers: Json[]
  }
}

export interface Exported extends Json {
  session_id: string
  state_dict: StateDict
  checksum: string
}

/** Returns the export of a session. */
export async function exported(caller: Caller, id: string): Promise<Exported> {
  const { body } = await caller.get(`/v1/session/${id}/export`)
  return body as Exported
}

/** Creates a session `s` with something of every kind. */
export async function fill(alice: Caller, settings: object = {}): Promise<void> {
  const axis = Array.from({ length: 64 }, (_, at) => (at === 3 ? 1 : 0))
  const policy_vectors = [{ embedding: axis, weight: 0.5, promote: false }]
  await alice.post('/v1/session/create', { session_id: 's', dimension: 64, template_embedding: axis, policy_vectors, ...settings })
  await alice.post('/v1/session/s/trigger', { keyword: 'Übergabe' })
  await alice.post('/v1/session/s/trigger', { embedding: axis, threshold: 0.9 })
  const turns = [
    'How do I prune roses?',
    'When is the best month for it?',
    'Is the Übergabe on Friday?',
    'What does a heat pump cost?',
    'And a gas boiler?'
  ]
  for (const [at, message] of turns.entries()) {
    const response = at === 0 ? {} : { response: `Answer ${at}: it depends on the ${turns[at - 1] ?? ''}` }
    await alice.post('/v1/run', { session_id: 's', message, user_id: `u${at % 2}`, ...response })
  }
  await alice.post('/v1/store', { session_id: 's', response: 'A gas boiler costs about 8 000 €. 😀\r\n' })
  await alice.post('/v1/session/s/memory', {
    text: 'The garden is 400 m².',
    tier: 'long_term',
    importance: 3,
    access_count: 4,
    expires_at: 4e9
  })
  await alice.post('/v1/session/s/memories', { memories: [{ text: 'Long. '.repeat(2000), timestamp: 5.25, user_id: 'u9' }] })
  for (const key of ['a/b.ts', '%2F', 'ключ'])
    await alice.post('/v1/session/s/entities', { key, kind: 'path', value: `${key}\r\n\t `, context: 'c' })
  await alice.post('/v1/session/s/anchor', { text: 'gardening and heating' })
  await alice.put('/v1/session/s/isolation', { level: 'QUARANTINE', exclusion_embeddings: [axis], similarity_threshold: 0.6 })
  await alice.post('/v1/run', { session_id: 's', message: 'Quarterly earnings of Belgian banks', user_id: 'u1' })
}

/** Everything that callers can observe of a session, except its id. */
export async function seen(alice: Caller, id: string): Promise<Json> {
  const metrics = { ...(await alice.get(`/v1/metrics/${id}`)).body, session_id: '' }
  const search = async (query: string) => (await alice.post(`/v1/session/${id}/search`, { query, top_k: 50 })).body['results']
  return {
    metrics,
    memories: (await alice.get(`/v1/session/${id}/memories?limit=1000`)).body,
    searches: [await search('roses'), await search('heat pump cost'), await search('garden')],
    context: (await alice.get(`/v1/state/context?session_id=${id}&top_k=50`)).body,
    entities: (await alice.get(`/v1/session/${id}/entities?max_results=1000`)).body['entities'],
    anchor: (await alice.get(`/v1/session/${id}/anchor_score`)).body['anchor_score']
  }
}

/** Starts a service with a stopped clock, so that two sessions can be compared to the last digit. */
export async function stillService(t: Test) {
  const clock = createManualClock()
  const { as } = await startService(t, { overrides: { clock } })
  return { clock, as, alice: await as('alice') }
}
