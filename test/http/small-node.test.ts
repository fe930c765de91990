// What a node with little memory can never hold, through the whole service: refused for good, not until later.
import t from 'tap'
import { startService } from '../support/real-service.js'

/** Memory limit of the process in MiB, of which some 3 are for work and 10 for actors. */
const SMALL = { SERVICE_MEMORY_LIMIT_MB: '64', SERVICE_RATE_LIMIT_PER_MINUTE: '0' }

t.test('a body that is larger than the memory for all work gets 413, whatever SERVICE_BODY_LIMIT_BYTES allows', async (t) => {
  const caller = await (await startService(t, { nodes: 1, env: SMALL })).as('anna')
  const { status, body } = await caller.post('/v1/run', { session_id: 's', message: 'x', more: 'y'.repeat(1_000_000) })
  t.match({ status, body }, { status: 413, body: { detail: /^This is too large for the memory of the node \(SERVICE_MEMORY_LIMIT_MB\)/ } })
  t.match(await caller.post('/v1/run', { session_id: 's', message: 'x' }), { status: 200 })
})

t.test('a session that takes all the memory for sessions gets 409 for what would grow it, and is read on', async (t) => {
  const caller = await (await startService(t, { nodes: 1, env: SMALL })).as('anna')
  await caller.post('/v1/session/create', { session_id: 'large' })
  for (let batch = 0; ; batch++) {
    const memories = Array.from({ length: 100 }, (_, at) => ({ text: `Crate ${String(batch)}-${String(at)} holds figs.` }))
    const { status, body } = await caller.post('/v1/session/large/memories', { memories })
    if (status === 200) continue
    t.match({ status, body }, { status: 409, body: { detail: /^Session is full: .* on this node, .*\(SERVICE_MEMORY_LIMIT_MB\)$/ } })
    break
  }
  t.match(await caller.post('/v1/session/large/search', { query: 'figs' }), { status: 200 })
  t.match(await caller.post('/v1/run', { session_id: 'other', message: 'Hello' }), { status: 200 })
})
