import t from 'tap'
import { inbox, isInbox, requestTopic, nodeOf, senderOf } from '../../../src/bus/nats/names.js'

const DOOR = 'engram.nodes.n-1.p_1.asks'

t.test('a door tells its node, and nothing else is one', async (t) => {
  t.equal(nodeOf(DOOR), 'n-1')
  for (const name of [
    '',
    'engram.nodes.n1.p1',
    `${DOOR}.more`,
    `x${DOOR}`,
    'engram.nodes.n 1.p1.asks',
    'engram.nodes.*.p1.asks',
    'engram.members.n1'
  ])
    t.throws(() => nodeOf(name), RangeError, name)
})

t.test('who knocks is told by the name of the message alone', async (t) => {
  t.equal(requestTopic(DOOR, 'n2'), `${DOOR}.n2`)
  t.equal(senderOf(requestTopic(DOOR, 'n2'), DOOR), 'n2')
  t.equal(senderOf(requestTopic(DOOR, 'x'.repeat(128)), DOOR), 'x'.repeat(128))
  for (const name of [DOOR, `${DOOR}.`, `${DOOR}.n2.n3`, `${DOOR}x.n2`, `${DOOR}.*`, `${DOOR}.${'x'.repeat(129)}`, `x${DOOR}.n2`, 'n2'])
    t.equal(senderOf(name, DOOR), null, name)
})

t.test('an answer comes where its asker waits for that node, under a token', async (t) => {
  const name = inbox('n1', 'n2', 'token')
  t.equal(name, '_INBOX.n1.n2.token')
  t.equal(isInbox(name, 'n1', 'n2'), true)
  for (const odd of [inbox('n1', 'n3', 'token'), inbox('n3', 'n2', 'token'), inbox('n1', 'n2', ''), inbox('n1', 'n2', 'a.b'), `x${name}`])
    t.equal(isInbox(odd, 'n1', 'n2'), false, odd)
})
