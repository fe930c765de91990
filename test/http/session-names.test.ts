// Ids of sessions that are also names of built-in properties of objects, on several nodes.
import t from 'tap'
import { startService } from '../support/real-service.js'

t.test('sessions vote and are trusted under any name that one can have, whichever node is asked', async (t) => {
  const alice = await (await startService(t, { nodes: 3 })).as('alice')
  const names = ['0', '10', '2', '__proto__', 'constructor', 'length', 'then', 'toJSON']
  for (const id of names) await alice.post('/v1/session/create', { session_id: id, dimension: 2 })
  const half = names.map((id) => [id, 0.5])
  const proposal = { proposer_session_id: 'toJSON', target_embedding: [1, 0] }
  for (let node = 0; node < 3; node++) {
    const voted = await alice.post('/v1/network/consensus', proposal)
    t.match(voted, { status: 200, body: { votes: names.map((session_id) => ({ session_id })) } })
    const told = await alice.get('/v1/network/consensus/trust')
    for (const { body } of [voted, told]) t.strictSame(Object.entries(body['trust_scores'] ?? {}).sort(), half)
  }
})
