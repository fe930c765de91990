/** What one command of an actor takes: asked of its preparation and its step alone. */
import t from 'tap'
import type { OutboxMessage } from '../../../actors/behaviour/behaviour.js'
import type { Life } from '../../../actors/runtime/host.js'
import type { Address } from '../../../src/domain/address.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createListBehaviour, type ListCommand } from '../../support/list-behaviour.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const MESSAGE: OutboxMessage = {
  id: 'm',
  to: { kind: 'cluster', subject: 'tester', id: 'c' },
  command: { type: 'cluster.sample' },
  isAwaited: false
}

/** A list that tells `MESSAGE` of each word that is added to it. */
async function start() {
  const prepared: string[] = []
  const sent: [to: Address, messages: readonly OutboxMessage[]][] = []
  const list = createListBehaviour({ prepare: async ({ type }) => void prepared.push(type) })
  const telling: typeof list = {
    ...list,
    step(...step) {
      const result = list.step(...step)
      return result.changes === null ? result : { ...result, outbox: [MESSAGE] }
    }
  }
  const relay = {
    send: async (...sending: (typeof sent)[number]) => void sent.push(sending),
    settled: () => undefined,
    wake: () => undefined
  }
  const actor = hosted(hostOf(telling, { relay }))
  const first = await actor.initiate({ type: 'list.create' }, { address: ADDRESS, requestId: 'q0', now: 0 })
  if (first === null) throw new Error('It makes a list')
  const life: Life = { ...first.life, token: { epoch: 1, version: 1 } }
  const run = (command: ListCommand | { readonly type: 'outbox.settle'; readonly ids: readonly string[] }) =>
    actor.run(life, command, { requestId: 'q1', now: 0 })
  return { run, prepared, sent }
}

t.test('what a step tells is handed on when it is durable, and a step that tells nothing has nothing to do then', async (t) => {
  const { run, sent } = await start()
  const { afterwards } = await run({ type: 'list.append', word: 'one' })
  t.same(sent, [])
  await afterwards?.()
  t.same(sent, [[ADDRESS, [MESSAGE]]])
  t.equal((await run({ type: 'outbox.settle', ids: ['m'] })).afterwards, undefined)
})

t.test('what the runtime tells an actor by itself is not for its behaviour to prepare', async (t) => {
  const { run, prepared } = await start()
  await run({ type: 'list.append', word: 'one' })
  const { reply, changes } = await run({ type: 'outbox.settle', ids: ['m'] })
  t.equal(reply, null)
  t.match(changes, { remove: [{ collection: 'outbox', id: 'm' }] })
  t.same(prepared, ['list.append'])
})
