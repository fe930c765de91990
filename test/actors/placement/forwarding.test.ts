/** Forwarding of asks between nodes: where they go, when they are retried, and when the outcome is unknown. */
import t from 'tap'
import type { AskEnvelope } from '../../../actors/asking/envelope.js'
import { type Address, addressKey } from '../../../src/domain/address.js'
import { createPlacement } from '../../../src/domain/nodes/rendezvous.js'
import { done, never, openNodes, refuse, RUN } from '../../support/forwarding-rig.js'

t.test('an ask for what its own node owns stays there', async (t) => {
  const { ask, ownedBy, of } = await openNodes(t, ['a', 'b'])
  t.strictSame(await ask('a', ownedBy('a')), { reply: 'a' })
  t.equal(of('b').asked.length, 0)
  t.notOk(of('a').counted.some(({ name }) => name === 'forward'))
})

t.test('an ask for what another node owns goes there once, with the time that is left', async (t) => {
  const { ask, ownedBy, of } = await openNodes(t, ['a', 'b', 'c'])
  t.strictSame(await ask('a', ownedBy('b'), { deadlineMs: 700 }), { reply: 'b' })
  t.match(of('b').asked, [{ requestId: 'r1', deadlineMs: 700, address: ownedBy('b') }])
  t.match(of('a').counted.at(-1), { name: 'forward', outcome: 'answered' })
})

t.test('a refusal of the owner is passed on as it is', async (t) => {
  const { ask, ownedBy, of } = await openNodes(t, ['a', 'b'])
  of('b').answer = refuse('session_missing')
  t.strictSame(await ask('a', ownedBy('b')), { refusal: { code: 'session_missing', message: 'session_missing' } })
  t.equal(of('b').asked.length, 1)
})

for (const code of ['fenced', 'draining', 'unreachable', 'not_owner'] as const) {
  t.test(`an ask that was certainly not carried out (${code}) is tried again until it is`, async (t) => {
    const { ask, ownedBy, of, clock, retries } = await openNodes(t, ['a', 'b'])
    let tries = 0
    of('b').answer = async () => (++tries < 4 ? refuse(code)() : done('b')())
    const answer = ask('a', ownedBy('b'))
    await clock.advance(1_000)
    t.strictSame(await answer, { reply: 'b' })
    t.strictSame(retries('a'), [code, code, code])
  })
}

t.test('an ask that nobody can take is refused at its deadline', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  of('b').answer = refuse('fenced')
  const answer = ask('a', ownedBy('b'), { deadlineMs: 2_000 })
  await clock.advance(2_100)
  t.match(await answer, { refusal: { code: 'deadline_passed', message: 'The deadline passed before the work was done' } })
})

t.test('an owner that has too much to do is tried a few times, and at home not again', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  of('a').answer = of('b').answer = refuse('busy')
  const abroad = ask('a', ownedBy('b'))
  await clock.advance(1_000)
  t.match(await abroad, { refusal: { code: 'busy' } })
  t.equal(of('b').asked.length, 4)
  t.same(
    of('a').counted.flatMap((one) => (one.name === 'forward' ? one.outcome : [])),
    ['refused', 'refused', 'refused', 'refused']
  )
  t.match(await ask('a', ownedBy('a')), { refusal: { code: 'busy' } })
  t.equal(of('a').asked.length, 1)
})

t.test(
  'an owner that is killed is found out by the ask itself, and the next owner gets it long before it would be taken for dead',
  async (t) => {
    const { ask, ownedBy, network, clock } = await openNodes(t, ['a', 'b'])
    const address = ownedBy('b')
    network.kill('b')
    const answer = ask('a', address)
    await clock.advance(800)
    t.strictSame(await answer, { reply: 'a' })
  }
)

t.test('an owner whose process ends over an ask is replaced, and the next one is asked under the same request id', async (t) => {
  const { ask, ownedBy, of, network, clock, retries } = await openNodes(t, ['a', 'b'])
  of('b').answer = never
  const answer = ask('a', ownedBy('b'), { deadlineMs: 20_000 })
  await clock.advance(1)
  network.kill('b')
  await clock.advance(5_000)
  t.strictSame(await answer, { reply: 'a' })
  t.equal(of('b').asked[0]?.requestId, of('a').asked[0]?.requestId)
  t.equal(of('b').asked[0]?.triedMs, undefined)
  t.ok((of('a').asked[0]?.triedMs ?? 0) > 1_000, 'and told how long ago the first try was')
  t.strictSame(retries('a'), ['deadline_passed'])
})

t.test('an ask over which its owner ended, and which the next one refuses, is of unknown outcome, unless it only reads', async (t) => {
  for (const code of ['session_missing', 'already_exists', 'invalid_input', 'busy'] as const) {
    const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
    of('b').answer = never
    of('a').answer = refuse(code)
    const [change, read] = ['session.run', 'session.metrics'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 20_000, type }))
    await clock.advance(1)
    network.kill('b')
    await clock.advance(5_000)
    t.match(await change, { refusal: { code: 'outcome_unknown' } }, 'the first try may be carried out yet')
    t.match(await read, { refusal: { code } }, 'it changes nothing whenever it is')
    t.match(await ask('a', ownedBy('a')), { refusal: { code } }, 'a first try is told so')
  }
})

t.test(
  'an ask over which its owner ended, and which the next one knows to be done, is answered so although the answer is gone',
  async (t) => {
    const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
    of('b').answer = never
    of('a').answer = refuse('answer_gone')
    const answer = ask('a', ownedBy('b'), { deadlineMs: 20_000 })
    await clock.advance(1)
    network.kill('b')
    await clock.advance(5_000)
    t.match(await answer, { refusal: { code: 'answer_gone' } })
  }
)

t.test(
  'an ask over which its owner fell silent is tried at no other node, whatever it asks for, and its outcome is not known',
  async (t) => {
    const { ask, ownedBy, of, network, clock, retries } = await openNodes(t, ['a', 'b', 'c'])
    of('b').answer = never
    const answers = ['session.run', 'session.metrics', 'session.delete'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 20_000, type }))
    await clock.advance(1)
    network.cut('b')
    await clock.advance(5_000)
    for (const answer of await Promise.all(answers)) t.match(answer, { refusal: { code: 'outcome_unknown' } })
    t.ok(of('a').counted.some((one) => one.name === 'forward' && one.outcome === 'unknown'))
    t.equal(of('a').asked.length + of('c').asked.length, 0)
    t.strictSame(retries('a'), [])
    const address = ownedBy('a')
    t.strictSame(await ask('a', address), { reply: 'a' }, 'what comes later goes to the next owner')
  }
)

t.test('an ask over which an owner fell silent that another node took for the owner is not tried again either', async (t) => {
  const { ownedBy, of, sent, network, clock } = await openNodes(t, ['a', 'b', 'c'])
  of('c').answer = never
  const envelope: AskEnvelope = { address: ownedBy('c'), command: RUN, requestId: 'r', deadlineMs: 20_000, isInner: false }
  const handedOn = of('b').forwarding.receive({ ...sent('b', envelope.address), envelope, hop: 1 })
  await clock.advance(1)
  network.cut('c')
  await clock.advance(5_000)
  t.match(await handedOn, { refusal: { code: 'outcome_unknown' } })
})

t.test('an ask over which two processes ended is not tried at a third one', async (t) => {
  const { ask, of, network, clock, addresses } = await openNodes(t, ['a', 'b', 'c', 'd'])
  const afterB = createPlacement(['a', 'c', 'd'])
  const address = addresses().find((one) => of('a').membership.ownerOf(one)?.nodeId === 'b' && afterB.ownerOf(addressKey(one)) === 'c')
  for (const nodeId of ['b', 'c', 'd']) of(nodeId).answer = never
  const answer = ask('a', address as Address, { deadlineMs: 20_000 })
  await clock.advance(1)
  network.kill('b')
  await clock.advance(3_000)
  t.equal(of('c').asked.length, 1)
  network.kill('c')
  await clock.advance(5_000)
  t.match(await answer, { refusal: { code: 'outcome_unknown' } })
  t.equal(of('a').asked.length + of('d').asked.length, 0)
})

t.test('an owner that says goodbye over an ask is replaced', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  of('b').answer = never
  const answer = ask('a', ownedBy('b'), { deadlineMs: 20_000 })
  await clock.advance(1)
  of('b').membership.leave()
  await clock.advance(1_000)
  t.strictSame(await answer, { reply: 'a' })
})

t.test('a node that is not the owner hands on once, and then says so', async (t) => {
  const { ownedBy, of, sent } = await openNodes(t, ['a', 'b', 'c'])
  const envelope: AskEnvelope = { address: ownedBy('c'), command: RUN, requestId: 'r', deadlineMs: 1_000, isInner: false }
  t.strictSame(await of('b').forwarding.receive({ ...sent('b', envelope.address), envelope, hop: 1 }), { reply: 'c' })
  t.match(await of('b').forwarding.receive({ ...sent('b', envelope.address), envelope, hop: 2 }), { refusal: { code: 'not_owner' } })
  t.equal(of('b').asked.length, 0, 'no actor of a node that does not own it')
  t.match(of('b').forwarded, [{ hop: 2, to: of('c').membership.self.incarnation }])
})

t.test('a node that is cut off refuses at once what comes to it', async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
  const address = ownedBy('b')
  network.cut('b', { notices: true })
  await clock.advance(4_000)
  t.match(await ask('b', address), { refusal: { code: 'unreachable' } })
  t.equal(of('b').asked.length, 0)
})

t.test('a node that is cut off sends nothing to others either, until it belongs to them again', async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
  const [own, other] = [ownedBy('b'), ownedBy('a')]
  network.cut('b', { notices: true })
  await clock.advance(4_000)
  network.heal('b')
  t.equal(of('b').membership.state, 'isolated', 'it has not heard of it yet')
  t.equal(of('b').membership.isAwake(), false)
  for (const address of [own, other]) t.match(await ask('b', address), { refusal: { code: 'unreachable' } })
  t.strictSame([...of('a').asked, ...of('b').asked], [])
})

t.test('a node that has left tries nothing twice', async (t) => {
  const { ask, ownedBy, of } = await openNodes(t, ['a', 'b'])
  const address = ownedBy('a')
  of('b').membership.leave()
  t.equal(of('b').membership.isAwake(), false)
  of('a').answer = refuse('busy')
  t.match(await ask('b', address), { refusal: { code: 'busy' } })
  t.equal(of('a').asked.length, 1)
})

t.test('a node that joins anew hands everything to the others until it is up', async (t) => {
  const { ask, ownedBy, network, clock } = await openNodes(t, ['a', 'b'])
  const address = ownedBy('b')
  network.cut('b')
  await clock.advance(6_000)
  network.heal('b')
  await clock.advance(600)
  const answer = ask('b', address)
  await clock.advance(10)
  t.strictSame(await answer, { reply: 'a' })
})

t.test('asks on their way to others count as work of the node, and wait when there is too much', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  of('b').answer = never
  const answers = Array.from({ length: 11 }, () => ask('a', ownedBy('b'), { deadlineMs: 500 }))
  await clock.advance(1)
  t.equal(of('a').admission.inFlight, 10)
  t.equal(of('a').admission.waiting, 1)
  of('b').answer = done('b')
  t.strictSame(await ask('a', ownedBy('b'), { isInner: true }), { reply: 'b' }, 'what is part of other work may always go')
  await clock.advance(600)
  t.match(await answers[0], { refusal: { code: 'deadline_passed' } })
  await answers[10]
  t.equal(of('a').admission.inFlight, 0)
})

t.test('nodes that send each other more than either takes at once do not wait for each other in a circle', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  // Forwarded asks enter through the same admission as a node's own.
  for (const nodeId of ['a', 'b']) {
    of(nodeId).answer = ({ address, isInner, deadlineMs }) =>
      new Promise((resolve, refused) => {
        const entered = (leave: () => void) =>
          void clock.after(5, () => {
            leave()
            resolve({ reply: nodeId })
          })
        of(nodeId).admission.enter('actors', { subject: address.subject, deadlineMs, isInner, entered, refused })
      })
  }
  const asks = Array.from({ length: 100 }, () => [
    ask('a', ownedBy('b'), { deadlineMs: 2_000 }),
    ask('b', ownedBy('a'), { deadlineMs: 2_000 })
  ]).flat()
  await clock.advance(1_000)
  t.strictSame(new Set((await Promise.all(asks)).map((answer) => JSON.stringify(answer))), new Set(['{"reply":"b"}', '{"reply":"a"}']))
})

t.test('a node that drains sends what still comes to the others; the last one refuses it', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  const address = ownedBy('a')
  of('a').membership.drain()
  await clock.advance(1)
  t.strictSame(await ask('a', address), { reply: 'b' })
  of('b').membership.drain()
  await clock.advance(1)
  of('b').answer = refuse('draining')
  t.match(await ask('b', ownedBy('b')), { refusal: { code: 'draining' } })
})

t.test('what a node has under way when it begins to drain, and another one overtakes, is done by that one', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  of('a').answer = async () => {
    of('a').membership.drain()
    return refuse('fenced')()
  }
  const answer = ask('a', ownedBy('a'))
  await clock.advance(100)
  t.strictSame(await answer, { reply: 'b' })
})

t.test(
  'an ask of which the owner cannot tell any more what became of it is refused at once rather than tried until its deadline',
  async (t) => {
    const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
    of('b').answer = never
    of('a').answer = refuse('outcome_unknown')
    const answer = ask('a', ownedBy('b'), { deadlineMs: 30_000 })
    await clock.advance(1)
    network.kill('b')
    await clock.advance(5_000)
    t.match(await answer, { refusal: { code: 'outcome_unknown' } })
    t.equal(of('a').asked.length, 1)
  }
)
