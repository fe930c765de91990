/** A story that uses every operation of the interface: Anna's session, and those of her team. */
import type { Recorder } from './recorder.js'

const QUESTION = 'How do I enable 2FA for my mail account?'
const LISBON = { session_id: 'anna', message: 'We fly to Lisbon in May. Which quarter is good with children?' }

/** Answers that are not JSON, or that describe all the others. */
const WITHOUT_ANSWER = new Set(['GET /metrics', 'GET /openapi.json', 'GET /docs', 'GET /redoc'])

/** Operations that end something, sent last. */
const ENDINGS = [
  'DELETE /v1/region/{region_id}/clusters/{cluster_id}',
  'DELETE /v1/observer/anomalies',
  'DELETE /v1/observer/regions/{region_id}',
  'DELETE /v1/observer/',
  'DELETE /v1/region/{region_id}',
  'DELETE /v1/cluster/{cluster_id}/members/{session_id}',
  'DELETE /v1/cluster/{cluster_id}',
  'DELETE /v1/session/{session_id}'
]

/** Sends every operation with a JSON answer. A new operation is sent with its own examples, after those of the session. */
export async function tellStory(recorder: Recorder): Promise<void> {
  const { send } = recorder
  await send('GET /v1/health')
  await send('GET /v1/readyz')
  await tellOfSession(recorder)
  const memory = await send('POST /v1/session/{session_id}/memory', { isUnseen: true })
  const values: Record<string, unknown> = { memory_hash: memory['memory_hash'] }
  values['region_id'] = await tellOfGroups(recorder)
  const isKept = (name: string) => !ENDINGS.includes(name) && !WITHOUT_ANSWER.has(name) && !name.startsWith('DELETE ')
  for (const name of recorder.operations.keys()) if (isKept(name) && !recorder.wasSent(name)) await send(name, { values })
  await send('DELETE /v1/session/{session_id}/memories/{memory_hash}', { values })
  await send('DELETE /v1/session/{session_id}/entities/{key}')
  await send('DELETE /v1/session/{session_id}/trigger')
  for (const name of ENDINGS) await send(name, { values })
  const missing = [...recorder.operations.keys()].filter((name) => !WITHOUT_ANSWER.has(name) && !recorder.wasSent(name))
  if (missing.length > 0) throw new Error(`The story has no place for ${missing.join(', ')}`)
}

async function tellOfSession({ send }: Recorder): Promise<void> {
  await send('POST /v1/session/create')
  await send('POST /v1/run', { body: { session_id: 'anna', message: QUESTION }, isUnseen: true })
  await send('POST /v1/run')
  await send('POST /v1/store')
  await send('POST /v1/dedup-check')
  await send('POST /v1/run', { body: LISBON, isUnseen: true })
  await send('POST /v1/session/{session_id}/memories')
  const { memory_hash } = await send('POST /v1/session/{session_id}/memory')
  await send('GET /v1/session/{session_id}/memories/{memory_hash}', { values: { memory_hash } })
  await send('GET /v1/session/{session_id}/memories')
  await send('POST /v1/session/{session_id}/search')
  await send('GET /v1/state/context', { values: { session_id: 'anna', top_k: 2 } })
  await send('GET /v1/metrics/{session_id}')
  await send('GET /v1/state/metrics', { values: { session_id: 'anna' } })
  await send('POST /v1/session/{session_id}/trigger')
  await send('POST /v1/session/{session_id}/anchor')
  await send('GET /v1/session/{session_id}/anchor_score')
  await send('PUT /v1/session/{session_id}/isolation')
  await send('POST /v1/run', { body: { session_id: 'anna', message: 'Which wine goes with grilled fish?' }, isUnseen: true })
  await send('POST /v1/session/{session_id}/isolation/release')
  await send('PUT /v1/session/{session_id}/isolation', { body: { level: 'OPEN' }, isUnseen: true })
  await send('POST /v1/session/{session_id}/entities')
  await send('GET /v1/session/{session_id}/entities')
  const exported = await send('GET /v1/session/{session_id}/export')
  await send('POST /v1/session/{session_id}/import', { body: exported })
  await send('POST /v1/session/create', { body: { session_id: 'colours', dimension: 3 }, isUnseen: true })
  await send('POST /v1/session/{session_id}/verify', { values: { session_id: 'colours' } })
  await send('GET /v1/sessions')
  await send('GET /v1/days')
}

/** Returns the region's id. */
async function tellOfGroups({ send }: Recorder): Promise<unknown> {
  await send('POST /v1/cluster/')
  await send('POST /v1/cluster/{cluster_id}/members')
  await send('POST /v1/cluster/{cluster_id}/store')
  await send('POST /v1/cluster/{cluster_id}/run')
  await send('POST /v1/cluster/{cluster_id}/feedback')
  for (const name of ['GET /v1/cluster/', 'GET /v1/cluster/{cluster_id}']) await send(name)
  const { region_id } = await send('POST /v1/region/')
  const values = { region_id }
  await send('POST /v1/region/{region_id}/clusters', { values })
  await send('POST /v1/observer/', { body: { sample_interval_seconds: 30, region_ids: [region_id] } })
  await send('POST /v1/observer/regions', { body: values })
  // A change of subject causes a drift event, and something to observe.
  const talk = ['Which quarter of Lisbon is good with children?', 'The invoice of the plumber is wrong by forty euros.']
  for (const message of talk) await send('POST /v1/cluster/{cluster_id}/run', { body: { message }, isUnseen: true })
  for (const name of ['GET /v1/region/', 'GET /v1/region/{region_id}', 'GET /v1/region/{region_id}/events']) await send(name, { values })
  for (const name of ['POST /v1/observer/sample', 'GET /v1/observer/summary', 'GET /v1/observer/anomalies']) await send(name)
  return region_id
}
