/** Outbox messages are part of their sender's record from the commit of their step until they are delivered. */
import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { OUTBOX_MESSAGES_MAX } from '../../../src/domain/limits.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { gated } from '../../support/gated-storage.js'
import { RECEIVER, SENDER, type SenderCommand, startMail } from '../../support/mail-system.js'
import { createManualClock, settled } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'

const away = async () => Promise.reject(new DomainError('busy', 'Away'))
const reminders = async (storage: Awaited<ReturnType<typeof startMail>>['storage']) => (await storage.reminders({ limit: 10 })).addresses

t.test('an outbox message is stored in the very commit of its step, and tried only when that is durable', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const mail = await startMail({ storage })
  await mail.write()
  storage.hold('commit')
  const reply = mail.write('one')
  await settled()
  t.same(await mail.received(), [], 'not told of what may not have happened')
  t.match((await storage.peek(SENDER))?.head, { written: 0 })
  storage.open('commit')
  t.equal(await reply, 1)
  t.same(await mail.received(), ['one'])
})

t.test('a commit that fails leaves no outbox message and tells nobody', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const failing = { ...storage, commit: async () => Promise.reject(new DomainError('storage_unavailable', 'Down')) }
  const mail = await startMail({ storage: failing })
  await mail.write()
  t.equal(await codeOf(mail.write('one')), 'storage_unavailable')
  await mail.clock.advance(60_000)
  t.same(await mail.received(), [])
  t.same(await mail.stored(), [])
})

t.test(
  'an outbox message of a commit whose outcome was not told is delivered all the same, without another use of its sender',
  async (t) => {
    const storage = createMemoryStorage({ retains: true })
    let isSilent = false
    const losing = {
      ...storage,
      commit: async (...args: Parameters<typeof storage.commit>) => {
        const next = await storage.commit(...args)
        if (!isSilent) return next
        isSilent = false
        throw new DomainError('storage_unavailable', 'Its answer was lost')
      }
    }
    const mail = await startMail({ storage: losing })
    await mail.write()
    isSilent = true
    t.equal(await codeOf(mail.write('one')), 'storage_unavailable')
    await mail.clock.advance(1_000)
    t.same(await mail.received(), ['one'])
    t.same(await mail.stored(), [])
  }
)

t.test('a delivered outbox message is forgotten by its sender, whose record then no longer wants to be woken', async (t) => {
  const mail = await startMail()
  await mail.write('one', 'two')
  t.same(
    (await reminders(mail.storage)).map(({ id }) => id),
    ['sender']
  )
  await mail.clock.advance(20)
  t.same(await reminders(mail.storage), [])
  t.same(await mail.stored(), [])
  const record = await mail.storage.activate(SENDER)
  t.match(record?.head, { written: 2 })
  t.same(record?.rows.map(({ id }) => id).sort(), ['one', 'two'], 'the rows of the sender stay')
})

t.test(
  'what a node leaves undelivered when it ends is delivered by another one on the same storage, which wakes the sender for it',
  async (t) => {
    const storage = createMemoryStorage({ retains: true })
    const first = await startMail({ storage, receive: away })
    await first.send({ type: 'sender.write', words: ['one', 'two'] })
    t.same(await first.stored(), ['one', 'two'])
    const second = await startMail({ storage })
    await settled()
    await second.clock.advance(20)
    t.same((await second.received()).sort(), ['one', 'two'])
    t.same(await second.stored(), [])
    t.same(await reminders(storage), [])
  }
)

t.test('an outbox message is part of the trace that wrote it, also when another node delivers it later', async (t) => {
  const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const storage = createMemoryStorage({ retains: true })
  const first = await startMail({ storage, receive: away })
  const command: SenderCommand = { type: 'sender.write', words: ['traced'] }
  await first.askActor(SENDER, command, { deadlineMs: 60_000, trace })
  await first.send({ type: 'sender.write', words: ['untraced'] })
  const traces = new Map<string, string | undefined>()
  const second = await startMail({ storage, receive: async (word, request) => void traces.set(word, request.trace) })
  await settled()
  await second.clock.advance(20)
  t.strictSame(Object.fromEntries(traces), { traced: trace, untraced: undefined })
})

t.test('what a node delivered and did not forget before it ended is delivered again by another one', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const first = await startMail({ storage })
  await first.write('one')
  t.same(await first.stored(), ['one'], 'nobody has told the sender yet')
  const second = await startMail({ storage })
  await settled()
  t.same(await second.received(), ['one', 'one'])
})

t.test('a step that drops every row keeps what is not delivered', async (t) => {
  const storage = createMemoryStorage({ retains: true })
  const mail = await startMail({ storage, receive: away })
  await mail.send({ type: 'sender.write', words: ['one', 'two'] })
  await mail.send({ type: 'sender.clear', words: ['three'] })
  t.same((await mail.stored()).sort(), ['one', 'three', 'two'])
  t.same(
    (await storage.activate(SENDER))?.rows.filter((row) => row.collection === 'word').map(({ id }) => id),
    ['three']
  )
})

t.test('a step that drops every row keeps the outbox messages of the step before it, in one commit with it', async (t) => {
  const storage = gated(createMemoryStorage({ retains: true }))
  const mail = await startMail({ storage, receive: away })
  await mail.write()
  storage.hold('commit')
  const steps = [
    mail.send({ type: 'sender.write', words: ['zero'] }),
    mail.send({ type: 'sender.write', words: ['one'] }),
    mail.send({ type: 'sender.clear' })
  ]
  await settled()
  storage.open('commit')
  await Promise.all(steps)
  t.equal(storage.counts.commit, 2, 'the first one alone, the other two together')
  t.same((await mail.stored()).sort(), ['one', 'zero'])
})

t.test('a refused step posts nothing', async (t) => {
  const mail = await startMail()
  await mail.write()
  t.equal(await codeOf(mail.send({ type: 'sender.refuse' })), 'invalid_input')
  t.same(await mail.stored(), [])
})

t.test('a full outbox refuses further outbox messages and takes them again when there is room', async (t) => {
  let isAway = true
  const mail = await startMail({ receive: async () => (isAway ? away() : undefined) })
  await mail.send({ type: 'sender.write', words: Array.from({ length: OUTBOX_MESSAGES_MAX }, (_, at) => `w${at}`) })
  t.equal(await codeOf(mail.send({ type: 'sender.write', words: ['more'] })), 'busy')
  isAway = false
  await mail.clock.advance(60_000)
  t.equal((await mail.received()).length, OUTBOX_MESSAGES_MAX)
  t.equal(await mail.send({ type: 'sender.write', words: ['more'] }), OUTBOX_MESSAGES_MAX + 1)
})

t.test('an outbox message to another subject is a fault and reaches nobody', async (t) => {
  const mail = await startMail()
  t.equal(await codeOf(mail.send({ type: 'sender.write', words: ['one'], subject: 'other' })), 'internal')
  t.same(await mail.storage.list({ kind: 'cluster', subject: 'other', limit: 10 }), [])
})

t.test('an actor that is put away with outbox messages on their way forgets them when they have arrived', async (t) => {
  const mail = await startMail({ idleTtlMs: 10_000 })
  await mail.write('one')
  await mail.clock.advance(60_000)
  t.equal(mail.catalogOf('region').activeCount, 0)
  t.same(await mail.stored(), [])
  t.same(await mail.received(), ['one'])
})

t.test('a removed sender takes its outbox messages along', async (t) => {
  const mail = await startMail({ receive: away })
  await mail.send({ type: 'sender.write', words: ['one'] })
  await mail.send({ type: 'sender.remove' })
  t.equal(await mail.storage.peek(SENDER), null)
  t.same(await reminders(mail.storage), [])
})

t.test('a pinned actor is not evicted where nothing could bring it back', async (t) => {
  for (const [isIrreplaceable, retains, left] of [
    [true, false, 3],
    [true, true, 0],
    [false, false, 0]
  ] as const) {
    const mail = await startMail({ storage: createMemoryStorage({ retains }), isIrreplaceable, activeMax: 2, idleTtlMs: 30_000 })
    for (const id of ['a', 'b', 'c']) await mail.send({ type: 'sender.write', words: [] }, id)
    t.equal(mail.catalogOf('region').activeCount, isIrreplaceable && !retains ? 3 : 2, 'the cap')
    await mail.clock.advance(60_000)
    t.equal(mail.catalogOf('region').activeCount, left, 'the sweep')
  }
})

t.test('a pinned actor is put away with its node', async (t) => {
  const mail = await startMail({ storage: createMemoryStorage({ retains: false }), isIrreplaceable: true })
  await mail.write()
  await mail.node.drain()
  t.equal(mail.catalogOf('region').activeCount, 0)
})

t.test('the receiver of an outbox message is made by it where it may be', async (t) => {
  const mail = await startMail({ clock: createManualClock() })
  await mail.write('one')
  t.not(await mail.storage.peek(RECEIVER), null)
})
