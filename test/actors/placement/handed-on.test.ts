/** What an ask from another node carries with it, and what is left of it once it is over. */
import t from 'tap'
import { settled } from '../../support/manual-clock.js'
import { done, never, openNodes, refuse } from '../../support/forwarding-rig.js'

t.test('an actor is told which asks came from another node', async (t) => {
  const { ask, ownedBy, of } = await openNodes(t, ['a', 'b'])
  await ask('a', ownedBy('b'))
  await ask('b', ownedBy('b'))
  t.strictSame(
    of('b').asked.map(({ isForeign }) => isForeign === true),
    [true, false]
  )
})

t.test('an ask that is handed on a second time finds a place where all are taken, for it holds one already', async (t) => {
  const { ask, ownedBy, of, sent } = await openNodes(t, ['a', 'b'])
  of('a').answer = never
  for (let n = 0; n < 20; n++) void ask('b', ownedBy('a'), { requestId: `r${String(n)}` })
  await settled()
  t.equal(of('b').admission.waiting, 10)
  of('a').answer = done('a')
  t.strictSame(await of('b').forwarding.receive(sent('b', ownedBy('a'))), { reply: 'a' })
})

t.test('an ask that is over listens for no more changes among the nodes', async (t) => {
  const { ask, ownedBy, of, clock } = await openNodes(t, ['a', 'b'])
  const { membership } = of('a')
  const listen = membership.onChange.bind(membership)
  let listening = 0
  membership.onChange = (listener) => {
    const stop = listen(listener)
    listening += 1
    return () => {
      listening -= 1
      stop()
    }
  }
  await ask('a', ownedBy('b'))
  of('b').answer = refuse('busy')
  const refused = ask('a', ownedBy('b'))
  await settled()
  t.equal(listening, 1, 'it waits for its next try')
  await clock.advance(1_000)
  await refused
  t.equal(listening, 0)
})
