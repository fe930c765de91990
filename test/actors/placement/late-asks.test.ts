/** Asks that arrive late: at a node that stood still, at another incarnation, after their deadline, or as a retry. */
import t from 'tap'
import type { AskEnvelope } from '../../../actors/asking/envelope.js'
import { done, never, openNodes, refuse, RUN } from '../../support/forwarding-rig.js'

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

t.test('a request that was tried before tells the next owner how long ago that was', async (t) => {
  const { ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  let tries = 0
  of('b').answer = async () => (++tries < 2 ? refuse('fenced')() : done('b')())
  const body: AskEnvelope = { address: ownedBy('b'), command: RUN, requestId: 'r1', deadlineMs: 10_000, isInner: false, triedMs: 300 }
  const answer = of('a').forwarding.request('actors.session', body, { deadlineMs: 10_000 })
  await clock.advance(1_000)
  t.strictSame(await answer, { reply: 'b' })
  const [first = NaN, second = NaN] = of('b').asked.map(({ triedMs }) => triedMs)
  t.equal(first, 300)
  t.ok(second > 300 && second <= 1_300, `${String(second)} ms at the second try`)
})

t.test('a request over which its owner ended is as old as its first try', async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b', 'c'])
  of('b').answer = never
  let tries = 0
  const slow = async () => (++tries < 3 ? refuse('fenced')() : done('next')())
  of('a').answer = slow
  of('c').answer = slow
  const startedAtMs = clock.monotonicMs()
  const answer = ask('a', ownedBy('b'), { deadlineMs: 30_000 })
  await clock.advance(1)
  network.kill('b')
  await clock.advance(10_000)
  t.strictSame(await answer, { reply: 'next' })
  const ages = [...of('a').asked, ...of('c').asked].map(({ triedMs = NaN }) => triedMs)
  t.equal(ages.length, 3)
  t.ok((ages[0] ?? NaN) > 500, `the time over which it ended counts: ${ages.join(', ')} ms`)
  t.strictSame(
    ages,
    ages.toSorted((one, other) => one - other),
    'and so does what came after'
  )
  t.ok(clock.monotonicMs() - startedAtMs >= (ages.at(-1) ?? NaN))
})

t.test('a request that was tried before keeps the age of that try when an owner ends over it', async (t) => {
  const { ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
  of('b').answer = never
  const body: AskEnvelope = { address: ownedBy('b'), command: RUN, requestId: 'r1', deadlineMs: 30_000, isInner: false, triedMs: 20_000 }
  const answer = of('a').forwarding.request('actors.session', body, { deadlineMs: 30_000 })
  await clock.advance(1)
  network.kill('b')
  await clock.advance(10_000)
  t.strictSame(await answer, { reply: 'a' })
  t.ok((of('a').asked[0]?.triedMs ?? 0) > 20_000)
})
