/** Asks that come late: to a node that stood still, to another incarnation, or later than anybody waits. */
import t from 'tap'
import { openNodes } from '../../support/forwarding-rig.js'

t.test('an ask that waited while its owner stood still is not carried out when that goes on, nor handed on', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b', 'c'])
  const address = ownedBy('b')
  of('b').stop()
  const answer = ask('a', address, { deadlineMs: 30_000 })
  await clock.advance(5_000)
  t.match(await answer, { refusal: { code: 'outcome_unknown' } })
  t.match(await ask('a', address), { reply: /^[ac]$/ }, 'another one does it')
  const before = ['a', 'c'].map((nodeId) => of(nodeId).asked.length)
  of('b').resume()
  await clock.advance(3_000)
  t.strictSame(of('b').asked, [])
  t.strictSame(
    ['a', 'c'].map((nodeId) => of(nodeId).asked.length),
    before
  )
  t.strictSame(await ask('a', address), { reply: 'b' }, 'and then it is asked again, as another one')
})

t.test('an ask for an earlier incarnation is not carried out by the one that is there', async (t) => {
  const { ownedBy, of, sent } = await openNodes(t, ['a', 'b'])
  t.match(await of('b').forwarding.receive({ ...sent('b', ownedBy('b')), to: 'another' }), { refusal: { code: 'not_owner' } })
  t.strictSame(await of('b').forwarding.receive(sent('b', ownedBy('b'))), { reply: 'b' })
  t.equal(of('b').asked.length, 1)
})

t.test('an ask that was longer on its way than it waits is refused by the clock of its receiver alone', async (t) => {
  const { ownedBy, of, sent, clock } = await openNodes(t, ['a', 'b'])
  const forwarded = sent('b', ownedBy('b'), 10_000)
  await clock.advance(3_000)
  t.strictSame(await of('b').forwarding.receive(forwarded), { reply: 'b' })
  t.equal(of('b').asked[0]?.deadlineMs, 10_000, 'it may have been sent just now')
  await clock.advance(6_000)
  t.strictSame(await of('b').forwarding.receive(forwarded), { reply: 'b' })
  t.ok((of('b').asked[1]?.deadlineMs ?? 0) < 7_000, 'what is certainly gone is gone')
  await clock.advance(7_000)
  t.match(await of('b').forwarding.receive(forwarded), { refusal: { code: 'deadline_passed' } })
  t.equal(of('b').asked.length, 2)
})
