/** The jobs of one command, tested without an actor: its preparation and its step. */
import t from 'tap'
import type { OutboxMessage } from '../../../actors/behaviour/behaviour.js'
import type { Actors } from '../../../actors/runtime/actors.js'
import { createActivation, createEntry } from '../../../actors/runtime/entry.js'
import type { LiveState } from '../../../actors/runtime/host.js'
import { createJobs } from '../../../actors/runtime/jobs.js'
import { createMailbox } from '../../../actors/runtime/mailbox.js'
import type { Address } from '../../../src/domain/address.js'
import type { Pieces } from '../../../src/domain/pieces.js'
import { hosted, hostOf } from '../../support/hosted.js'
import { createListBehaviour, type ListCommand } from '../../support/list-behaviour.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { unlimitedBudget } from '../../support/unlimited-budget.js'

const ADDRESS: Address = { kind: 'session', subject: 'tester', id: 'a' }
const MESSAGE: OutboxMessage = {
  id: 'm',
  to: { kind: 'cluster', subject: 'tester', id: 'c' },
  command: { type: 'cluster.sample' },
  isAwaited: false
}

/** A list that posts `MESSAGE` for each word added to it. */
async function start() {
  const prepared: string[] = []
  const sent: [to: Address, messages: readonly OutboxMessage[]][] = []
  const list = createListBehaviour({ prepare: async ({ type }) => void prepared.push(type) })
  const telling: typeof list = {
    ...list,
    *step(...step) {
      const result = yield* list.step(...step)
      return result.changes === null ? result : { ...result, outbox: [MESSAGE] }
    }
  }
  const relay = {
    send: async (...sending: (typeof sent)[number]) => void sent.push(sending),
    settled: () => undefined,
    wake: () => undefined,
    isDelivered: () => false
  }
  const host = hostOf(telling, { relay, isShared: true })
  const actor = hosted(host)
  const first = await actor.initiate({ type: 'list.create' }, { address: ADDRESS, requestId: 'q0', now: 0 })
  if (first === null) throw new Error('It makes a list')
  const life: LiveState = { ...first.life, token: { epoch: 1, version: 1 } }
  const run = (command: ListCommand | { readonly type: 'outbox.settle'; readonly ids: readonly string[] }) =>
    actor.run(life, command, { requestId: 'q1', now: 0 })
  return { run, prepared, sent, host, life }
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

t.test('a request that ran before is answered as it was, and not prepared a second time', async (t) => {
  const { run, prepared } = await start()
  const first = await run({ type: 'list.append', word: 'one' })
  t.same(await run({ type: 'list.append', word: 'one' }), { reply: first.reply, changes: null })
  t.same(prepared, ['list.append'])
})

t.test('what is left to do before a step is told to the watch of the event loop', async (t) => {
  const clock = createManualClock()
  const { host, life } = await start()
  const seen: string[] = []
  const watch = {
    during<Result>(name: string, _: unknown, work: () => Result): Result {
      seen.push(name)
      return work()
    }
  }
  let isLeft = true
  function* work(): Pieces<void> {
    isLeft = false
    yield
  }
  const behaviour = { ...host.behaviour, settle: () => (isLeft ? work() : null) }
  const entry = createEntry(ADDRESS, 0)
  entry.activation = Object.assign(createActivation(entry), { life, isOpen: true })
  entry.mailbox = createMailbox({ capacity: 1, expire: () => undefined })
  const delivery = {
    ...{ command: { type: 'list.read' }, requestId: 'q2', isForeign: false },
    deadlineAtMs: Infinity,
    hold: unlimitedBudget().openHold('command', ADDRESS.subject),
    reservation: unlimitedBudget().openReservation(ADDRESS.subject),
    settle: () => undefined
  }
  entry.mailbox.offer(delivery, 0)
  createJobs({ options: { ...host, clock, isShared: false, behaviour, watch } } as unknown as Actors).pump(entry)
  await settled()
  t.same(seen, ['list.read', 'session.settle', 'session.settle', 'list.read'], 'its preparation, each piece of it, and its step')
})
