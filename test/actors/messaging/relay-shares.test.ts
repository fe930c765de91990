// Maximum outbox messages from the log that are delivered at a time for one subject.
import t from 'tap'
import { createRelay } from '../../../actors/messaging/relay.js'
import { SILENT } from '../../../src/platform/silent-logger.js'
import { createManualClock } from '../../support/manual-clock.js'

t.test('eight of one subject are delivered at a time: slow receivers of its own hold nobody else up', async (t) => {
  const ends: ((value: unknown) => void)[] = []
  const asked: string[] = []
  const relay = createRelay({
    clock: createManualClock(),
    logger: SILENT,
    log: null,
    ask: async ({ subject }, _command, { requestId = '' }) => {
      asked.push(requestId)
      return subject === 'slow' ? new Promise((resolve) => ends.push(resolve)) : null
    }
  })
  const take = (subject: string, id: string): Promise<boolean> =>
    relay.take({
      sender: { kind: 'session', subject, id: 'sender' },
      message: { id, to: { kind: 'cluster', subject, id: 'receiver' }, command: { type: 'cluster.sample' }, isAwaited: false }
    })
  const held = Array.from({ length: 8 }, (_, at) => take('slow', `slow ${String(at)}`))
  t.equal(await take('slow', 'slow 8'), false, 'it comes again')
  t.equal(await take('quick', 'quick'), true)
  t.same(asked, [...held.map((_, at) => `slow ${String(at)}`), 'quick'])
  ends.shift()?.(null)
  t.equal(await held[0], true)
  held.push(take('slow', 'slow 8'))
  t.equal(await take('slow', 'slow 9'), false, 'one has ended, and one has come')
  for (const end of ends) end(null)
  t.same(
    await Promise.all(held),
    held.map(() => true)
  )
})
