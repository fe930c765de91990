/** The actors of a node together: what is admitted, and what still runs while it drains. */
import t from 'tap'
import { REQUEST } from '../../actors/messaging/idempotency-ring.js'
import type { Address } from '../../src/domain/address.js'
import { DomainError } from '../../src/domain/errors.js'
import { SUBJECT_OPERATIONS_MAX } from '../../src/domain/limits.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import { gated } from '../support/gated-storage.js'
import { type MailOptions, RECEIVER, SENDER, startMail } from '../support/mail-system.js'
import { settled } from '../support/manual-clock.js'
import { codeOf } from '../support/runtime.js'

/** A promise and the function that resolves it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

t.test('a subject that has all it may have under way waits with what comes from outside, while its actors ask each other', async (t) => {
  const { opened, open } = gate()
  let isHeld = false
  const mail = await startMail({ receive: async () => (isHeld ? opened : undefined) })
  await mail.write('one')
  isHeld = true
  const held = Array.from({ length: SUBJECT_OPERATIONS_MAX - 1 }, (_, n) =>
    mail.askActor({ ...RECEIVER, id: `r${n}` }, { type: 'cluster.dropMember', sessionId: 'x' } as { type: string }, { deadlineMs: 60_000 })
  )
  await settled()
  t.equal(await mail.send({ type: 'sender.consult' }), 2, 'the last one in asks another')
  const last = mail.askActor({ ...RECEIVER, id: 'last' }, { type: 'cluster.dropMember', sessionId: 'x' } as { type: string }, {
    deadlineMs: 60_000
  })
  await settled()
  let isAnswered = false
  const waiting = mail.send({ type: 'sender.consult' }).finally(() => (isAnswered = true))
  await settled()
  t.notOk(isAnswered)
  open()
  await Promise.all([...held, last])
  t.equal(await waiting, 2)
})

t.test('a node that drains finishes what needs other actors', async (t) => {
  const { opened, open } = gate()
  const storage = createMemoryStorage({ retains: true })
  const mail = await startMail({ storage, consult: () => opened })
  await mail.write('one')
  const consulting = mail.send({ type: 'sender.consult' })
  await settled()
  const drained = mail.node.drain()
  await settled()
  t.equal(await codeOf(mail.send({ type: 'sender.consult' })), 'draining')
  t.equal(mail.node.state, 'draining')
  open()
  t.equal(await consulting, 2, 'the receiver was asked only now')
  await drained
  t.equal(mail.node.state, 'stopped')
})

t.test('an outbox message that is written while its node drains is delivered by the next node', async (t) => {
  const { opened, open } = gate()
  const storage = createMemoryStorage({ retains: true })
  let isFirst = true
  const first = await startMail({ storage, receive: async () => (isFirst ? opened : undefined) })
  await first.write()
  const writing = first.write('one')
  await settled()
  const drained = first.node.drain()
  isFirst = false
  // Neither the reply nor the node waits for the receiver longer than a second.
  await first.clock.advance(1_000)
  t.equal(await writing, 1)
  open()
  await drained
  const second = await startMail({ storage })
  await settled()
  await second.clock.advance(20)
  t.ok((await second.received()).includes('one'))
  t.same(await second.stored(), [])
})

t.test('a node without durable storage wakes nobody', async (t) => {
  const storage = createMemoryStorage({ retains: false })
  let walks = 0
  const mail = await startMail({
    storage: {
      ...storage,
      reminders: async (query) => {
        walks += 1
        return storage.reminders(query)
      }
    },
    receive: async () => Promise.reject(new DomainError('busy', 'Away'))
  })
  await mail.write('one')
  t.equal(walks, 0)
})

/** Asks a node to write and to read. Returns whether the read was verified and whether the record's log has a request. */
async function careOf(options: Omit<MailOptions, 'storage'>, retains = true) {
  const storage = gated(createMemoryStorage({ retains }))
  const mail = await startMail({ ...options, storage })
  await mail.write('one')
  const { verify: before } = storage.counts
  await mail.send({ type: 'sender.consult' })
  const record = await storage.activate(SENDER)
  return { isVerified: storage.counts.verify > before, isLogged: record?.rows.some(({ collection }) => collection === REQUEST) }
}

t.test('a node verifies what it reads, and logs what it changes, where others use its storage as well', async (t) => {
  const careful = { isVerified: true, isLogged: true }
  const careless = { isVerified: false, isLogged: false }
  t.same(await careOf({ isMember: true }), careful, 'one of several')
  t.same(await careOf({ sharesStorage: true }), careful, 'alone, beside processes that it knows nothing of')
  t.same(await careOf({ sharesStorage: false }), careless, 'alone')
  t.same(await careOf({ isMember: true }, false), careless, 'of several that keep nothing')
})

t.test('a kind that has no actors here has no catalog', async (t) => {
  const mail = await startMail()
  t.throws(() => mail.catalogOf('observer'))
})

t.test('a node that hears of a change among the nodes puts away what another one owns by now, until it drains', async (t) => {
  const changes: string[] = []
  let tellChange = () => {}
  let isOwned = (_: Address) => true
  const onChange = (listener: () => void) => {
    tellChange = listener
    return () => changes.push('nobody listens')
  }
  const mail = await startMail({ nodes: { owns: (address) => isOwned(address), onChange } })
  await mail.write('one')
  await mail.clock.advance(20)
  const live = () => [mail.catalogOf('region').activeCount, mail.catalogOf('cluster').activeCount]
  tellChange()
  await settled()
  t.strictSame(live(), [1, 1])
  isOwned = ({ kind }) => kind !== 'cluster'
  tellChange()
  await settled()
  t.strictSame(live(), [1, 0])
  await mail.node.drain()
  t.strictSame(changes, ['nobody listens'])
})

t.test('caps of a subject hold for its sessions and for nothing else, and 0 is no cap', async (t) => {
  for (const [caps, left] of [
    [{}, 3],
    [{ subjectSessionsMax: 0, subjectBytesMax: 0 }, 3],
    [{ subjectSessionsMax: 2 }, 2],
    [{ subjectBytesMax: 1 }, 1]
  ] as const) {
    const mail = await startMail(caps)
    for (const id of ['a', 'b', 'c']) {
      await mail.askActor({ kind: 'session', subject: 'tester', id }, { type: 'list.create' }, { deadlineMs: 1_000 })
      await mail.send({ type: 'sender.write', words: [] }, id)
      await mail.clock.advance(1)
    }
    t.strictSame([mail.catalogOf('session').activeCount, mail.catalogOf('region').activeCount], [left, 3], JSON.stringify(caps))
  }
})
