// Answers in the form of earlier versions, as during a rolling upgrade.
import t from 'tap'
import { createRig } from '../../support/http-rig.js'

t.test('trust that an earlier node tells by session id is answered like that of a list', async (t) => {
  const decision = { accepted: true, approval: 1, votes: [] }
  for (const trustScores of [
    { anna: 0.5, ben: 0.6 },
    [
      { sessionId: 'anna', trust: 0.5 },
      { sessionId: 'ben', trust: 0.6 }
    ]
  ]) {
    const rig = await createRig({ intercept: ({ type }) => (type.startsWith('network.') ? { ...decision, trustScores } : undefined) })
    const told = await rig.get('/v1/network/consensus/trust')
    t.match(told, { status: 200, body: { trust_scores: { anna: 0.5, ben: 0.6 } } })
    const voted = await rig.post('/v1/network/consensus', { proposer_session_id: 'anna', target_embedding: [1] })
    t.match(voted, { status: 200, body: { accepted: true, trust_scores: { anna: 0.5, ben: 0.6 } } })
  }
})
