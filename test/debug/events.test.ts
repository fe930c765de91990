/** Compares the register of debug events with what the code emits, and with the page generated from it. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DEBUG_EVENTS } from '../../src/domain/debug-events.js'
import { toEventBody } from '../../src/http/debug/events.js'
import type { DebugEvent } from '../../src/ports.js'
import { ROOT, sourcePaths } from '../source-files.js'
import { startService } from '../support/real-service.js'
import { eventDocument } from './event-document.js'

const PAGE = new URL('../../docs/debug-events.md', import.meta.url)

const SECRET = 'Wintermute sleeps behind the harbour gate'

/** All events that a service emits while a subject uses each of its parts. */
async function emitted(t: Test): Promise<readonly DebugEvent[]> {
  const events: DebugEvent[] = []
  const tracer = { isEnabled: true, emit: (event: DebugEvent) => void events.push(event) }
  const { as } = await startService(t, { overrides: { tracer } })
  const alice = await as('alice')
  const post = async (url: string, given?: object) => {
    const { status, body } = await alice.post(url, given)
    t.ok(status < 300, `${url}: ${String(status)}`)
    return body
  }
  await post('/v1/session/create', { session_id: 's', dimension: 64 })
  await post('/v1/session/create', { session_id: 'other', dimension: 64 })
  await post('/v1/session/s/trigger', { keyword: 'harbour' })
  await post('/v1/cluster/', { cluster_id: 'c', dimension: 64, coupling_factor: 0.5 })
  await post('/v1/cluster/c/members', { session_id: 's' })
  const { region_id } = await post('/v1/region/', { dimension: 64, consensus_threshold: 0.1 })
  await post(`/v1/region/${String(region_id)}/clusters`, { cluster_id: 'c' })
  await post('/v1/observer/', { region_ids: [region_id] })
  for (const message of [
    SECRET,
    'Who sleeps behind the harbour gate?',
    'Who else has a key of the harbour gate?',
    'How do I bake sourdough bread at home?',
    'Which yeast is best for bread?'
  ]) {
    await post('/v1/run', { session_id: 's', message })
    await post('/v1/store', { session_id: 's', response: `${message} That I know well.` })
    await post('/v1/cluster/c/run', { message })
  }
  await post('/v1/run', { session_id: 'other', message: 'The weather is fine' })
  await post('/v1/cluster/c/feedback')
  await post('/v1/observer/sample')
  await post('/v1/network/transfer', { source_session_id: 's', target_session_id: 'other', max_weight: 0.2 })
  await alice.put('/v1/session/s/isolation', { level: 'LOCKDOWN', similarity_threshold: 0.9 })
  await post('/v1/run', { session_id: 's', message: 'Something else entirely' })
  await alice.delete('/v1/session/other')
  return events
}

t.test('what a service emits has the fields of the register and nothing that it must not have', async (t) => {
  const events = await emitted(t)
  for (const { kind, data } of events) {
    const known = Object.keys(DEBUG_EVENTS[kind].fields)
    t.strictSame(
      Object.keys(data).filter((name) => !known.includes(name)),
      [],
      kind
    )
  }
  const text = JSON.stringify(events)
  for (const word of ['Wintermute', 'sourdough', 'yeast']) t.notOk(text.includes(word), 'no text of a memory')
  const kinds = new Set(events.map(({ kind }) => kind))
  for (const kind of [
    'turn.started',
    'turn.finished',
    'retrieve',
    'fuse',
    'rerank',
    'serialize',
    'retrieval.ranked',
    'store.written',
    'actor.activated',
    'supervisor.started',
    'topic.switched',
    'drift.moved',
    'isolation.moved',
    'isolation.decided',
    'fold.feedback',
    'observer.sampled'
  ] as const) {
    t.ok(kinds.has(kind), kind)
  }
})

t.test('the stages of a retrieval tell their best candidates, judged as far as they are by then', async (t) => {
  const events = await emitted(t)
  const last = (kind: DebugEvent['kind']) => events.findLast((event) => event.kind === kind && event.sessionId === 's')?.data
  const hash = /^[0-9a-f]{32}$/
  t.match(last('retrieve'), {
    durationMs: Number,
    candidates: Number,
    leading: [{ memoryHash: hash, score: null, components: { dense: Number, lexical: Number } }]
  })
  t.match(last('fuse'), { leading: [{ memoryHash: hash, score: Number, components: { fused: Number } }] })
  t.match(last('rerank'), { leading: [{ memoryHash: hash, score: Number, components: { recency: Number, diversity: Number } }] })
})

t.test('the register lists only what the code emits, and no name that every event has', async (t) => {
  const paths = sourcePaths(['src', 'actors', 'machines']).filter((path) => path !== 'src/domain/debug-events.ts')
  const text = (await Promise.all(paths.map((path) => readFile(join(ROOT, path), 'utf8')))).join('\n')
  for (const [kind, { fields }] of Object.entries(DEBUG_EVENTS)) {
    t.ok(text.includes(`'${kind}'`), kind)
    const filled = Object.fromEntries(Object.keys(fields).map((name) => [name, name]))
    const body = toEventBody({
      seq: 1,
      timestamp: 2,
      event: { kind: kind as DebugEvent['kind'], subject: 'a', sessionId: 's', data: filled }
    })
    t.equal(Object.keys(body).length, 4 + Object.keys(fields).length, `${kind}: names of its own`)
  }
})

t.test('the page of debug events is what the register makes', async (t) => {
  // After a change of the register, UPDATE_DOCUMENTS=1 writes the page again.
  if (process.env['UPDATE_DOCUMENTS'] === '1') await writeFile(PAGE, eventDocument())
  t.equal(await readFile(PAGE, 'utf8'), eventDocument())
})
