/** Asks under way when a connection between nodes is lost and restored, or when their own node is cut off. */
import t from 'tap'
import type { AskEnvelope } from '../../../actors/asking/envelope.js'
import { keyedRequestId } from '../../../src/domain/request-keys.js'
import { done, never, openNodes, refuse, RUN } from '../../support/forwarding-rig.js'

const KEYED = keyedRequestId({ subject: 'alice', sessionId: 's', key: 'k' }, RUN)

t.test('an ask under way when the line was lost is asked again of its owner, who is told that it is no first try', async (t) => {
  const { ask, ownedBy, of, network, clock, retries } = await openNodes(t, ['a', 'b', 'c'])
  of('b').answer = never
  const [change, read] = ['session.run', 'session.metrics'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 30_000, type }))
  await clock.advance(700)
  for (let lost = 0; lost < 3; lost++) {
    if (lost === 2) of('b').answer = done('b')
    network.loseLine('a')
    await clock.advance(500)
  }
  t.strictSame(await Promise.all([change, read]), [{ reply: 'b' }, { reply: 'b' }], 'however often')
  const asked = (type: string) => of('b').asked.filter(({ command }) => command.type === type)
  t.same(new Set(of('b').asked.map(({ requestId }) => requestId)), new Set(['r1']))
  t.equal(asked('session.run').length, 4)
  const ages = asked('session.run').map(({ triedMs }) => triedMs)
  t.equal(ages[0], undefined)
  t.ok((ages[1] ?? NaN) >= 700 && (ages[3] ?? NaN) > (ages[2] ?? NaN), ages.join(', '))
  t.same(new Set(asked('session.metrics').map(({ triedMs }) => triedMs)), new Set([undefined]), 'what only reads is a first try each time')
  t.equal(of('a').asked.length + of('c').asked.length, 0)
  t.same(new Set(retries('a')), new Set(['deadline_passed']))
})

t.test("an ask that may have been lost with its owner's line is asked again as soon as the owner tells of a new one", async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b', 'c'])
  of('b').answer = never
  const asked = ['session.run', 'session.metrics'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 30_000, type }))
  await clock.advance(700)
  of('b').answer = done('b')
  network.loseLine('b')
  await clock.advance(600)
  t.strictSame(await Promise.all(asked), [{ reply: 'b' }, { reply: 'b' }])
  t.equal(of('b').asked.length, 4)
  const ages = of('b').asked.flatMap(({ triedMs }) => triedMs ?? [])
  t.ok(ages.length === 1 && (ages[0] ?? NaN) >= 700, 'the owner is told that the change is no first try')
})

t.test("where nobody tells that an ask was done, it outlasts its owner's line", async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'], { keepsLog: false })
  of('b').answer = never
  const change = ask('a', ownedBy('b'), { deadlineMs: 10_000 })
  await clock.advance(1)
  network.loseLine('b')
  await clock.advance(9_000)
  t.equal(of('b').asked.length, 1)
  await clock.advance(1_000)
  t.match(await change, { refusal: { code: 'deadline_passed' } }, 'its answer may come over the next line')
})

t.test(
  'an ask whose line was lost, and that its owner refuses then, is of unknown outcome, unless it only reads or is known',
  async (t) => {
    for (const [code, told] of [
      ['session_missing', 'outcome_unknown'],
      ['busy', 'outcome_unknown'],
      ['answer_gone', 'answer_gone']
    ] as const) {
      const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
      of('b').answer = never
      const [change, read] = ['session.run', 'session.metrics'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 30_000, type }))
      await clock.advance(1)
      of('b').answer = refuse(code)
      network.loseLine('a')
      await clock.advance(2_000)
      t.match(await change, { refusal: { code: told } })
      if (told === 'outcome_unknown') t.match(await change, { refusal: { message: /^The line to the node that had this was lost; / } })
      t.match(await read, { refusal: { code } })
    }
  }
)

t.test('where nobody tells that an ask was done, only what reads or has a key is asked again', async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'], { keepsLog: false })
  of('b').answer = never
  const options = { deadlineMs: 30_000 }
  const change = ask('a', ownedBy('b'), options)
  const others = [ask('a', ownedBy('b'), { ...options, type: 'session.metrics' }), ask('a', ownedBy('b'), { ...options, requestId: KEYED })]
  await clock.advance(1)
  of('b').answer = done('b')
  network.loseLine('a')
  await clock.advance(1_000)
  t.strictSame(await Promise.all(others), [{ reply: 'b' }, { reply: 'b' }])
  t.equal(of('b').asked.length, 5)
  await clock.advance(29_000)
  t.match(await change, { refusal: { code: 'deadline_passed' } }, 'its answer may come over the next line')
})

t.test('an ask that was handed on over a line that was lost is of unknown outcome', async (t) => {
  const { ownedBy, of, sent, network, clock } = await openNodes(t, ['a', 'b', 'c'])
  of('c').answer = never
  const envelope: AskEnvelope = { address: ownedBy('c'), command: RUN, requestId: 'r', deadlineMs: 20_000, isInner: false }
  const handedOn = of('b').forwarding.receive({ ...sent('b', envelope.address), envelope, hop: 1 })
  await clock.advance(1)
  network.loseLine('b')
  t.match(await handedOn, { refusal: { code: 'outcome_unknown', message: /^The line/ } })
})

t.test('a node that is cut off tells at once what it had under way at others: nobody knows, or it only reads', async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
  of('b').answer = never
  const [change, read] = ['session.run', 'session.metrics'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 30_000, type }))
  await clock.advance(1)
  network.cut('a', { notices: true })
  await clock.advance(4_000)
  t.equal(of('a').membership.state, 'isolated')
  t.match(await change, { refusal: { code: 'outcome_unknown', message: /^This node was cut off/ } })
  t.match(await read, { refusal: { code: 'unreachable' } })
  t.equal(of('b').asked.length, 2)
})

t.test('a node that is cut off while it drains waits no longer for others, and finishes what is its own', async (t) => {
  const { ask, ownedBy, of, network, clock } = await openNodes(t, ['a', 'b'])
  of('b').answer = never
  of('a').membership.drain()
  const [change, read] = ['session.run', 'session.metrics'].map((type) => ask('a', ownedBy('b'), { deadlineMs: 30_000, type }))
  await clock.advance(1)
  network.cut('a')
  await clock.advance(4_000)
  t.equal(of('a').membership.state, 'draining')
  t.match(await change, { refusal: { code: 'outcome_unknown', message: /^This node was cut off/ } })
  t.match(await read, { refusal: { code: 'unreachable' } })
  t.match(await ask('a', ownedBy('b'), { deadlineMs: 30_000 }), { refusal: { code: 'unreachable' } }, 'nor asks any more')
})
