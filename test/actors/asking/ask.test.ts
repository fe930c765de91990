import t from 'tap'
import { type Ask, createAskActor } from '../../../actors/asking/ask.js'
import { askingFor } from '../../../actors/asking/inner-ask.js'
import { createInProcessBus } from '../../../src/bus/in-process.js'
import { DomainError, isDomainError } from '../../../src/domain/errors.js'
import { createManualClock } from '../../support/manual-clock.js'
import { codeOf, startRuntime } from '../../support/runtime.js'

const address = { kind: 'session', subject: 's', id: 'a' } as const

t.test('a refusal crosses as data and arrives as the same error', async (t) => {
  const { ask } = await startRuntime()
  await ask('a', { type: 'list.create' })
  const error: unknown = await ask('a', { type: 'list.refuse' }).catch((cause: unknown) => cause)
  t.ok(isDomainError(error))
  t.match(error, { code: 'invalid_input', message: 'Refused', loc: ['body', 'word'] })
})

t.test('a failure arrives as an internal error that tells nothing', async (t) => {
  const { ask } = await startRuntime()
  await ask('a', { type: 'list.create' })
  await t.rejects(ask('a', { type: 'list.crash' }), new DomainError('internal', 'Internal error'))
})

t.test('an ask whose answer does not come is over at its deadline', async (t) => {
  const clock = createManualClock()
  const bus = createInProcessBus({ clock })
  bus.serve('actors.session', () => new Promise(() => {}))
  const ask = createAskActor({ bus, ids: { uuid: () => 'id' } })
  const answer = codeOf(ask(address, { type: 'any' }, { deadlineMs: 1_000 }))
  await clock.advance(1_000)
  t.equal(await answer, 'deadline_passed')
})

t.test('an ask carries its address, command, deadline and a request id', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  const seen: unknown[] = []
  bus.serve('actors.session', async (body) => {
    seen.push(body)
    return { reply: 1 }
  })
  const ask = createAskActor({ bus, ids: { uuid: () => 'made' } })
  t.equal(await ask(address, { type: 'any' }, { deadlineMs: 5 }), 1)
  await ask(address, { type: 'any' }, { deadlineMs: 5, requestId: 'given' })
  t.same(seen, [
    { address, command: { type: 'any' }, requestId: 'made', deadlineMs: 5, isInner: false },
    { address, command: { type: 'any' }, requestId: 'given', deadlineMs: 5, isInner: false }
  ])
})

t.test('what is asked in the course of a request has an id that follows from it, and is a retry where that is one', async (t) => {
  const seen: unknown[] = []
  const ask = (async (_address: unknown, _command: unknown, options: unknown) => void seen.push(options)) as unknown as Ask
  const request = { requestId: 'r', now: 0 }
  for (const meta of [request, request, { ...request, triedMs: 1_500 }, { ...request, isRepeated: true }]) {
    await askingFor(ask, meta, address)({ ...address, id: 'b' }, { type: 'session.read' } as never, { deadlineMs: 1_000 })
  }
  const asked = { requestId: 'r/session:a', deadlineMs: 1_000, triedMs: undefined, isRepeated: undefined, trace: undefined }
  t.strictSame(seen, [asked, asked, { ...asked, triedMs: 1_500 }, { ...asked, isRepeated: true }])
})

t.test('an ask says how long it has been tried, and that another node may have told the same, only where it is so', async (t) => {
  const bus = createInProcessBus({ clock: createManualClock() })
  const seen: object[] = []
  bus.serve('actors.session', async (body) => {
    seen.push(body as object)
    return { reply: 1 }
  })
  const ask = createAskActor({ bus, ids: { uuid: () => 'id' } })
  await ask(address, { type: 'any' }, { deadlineMs: 1_000, triedMs: 500, isRepeated: true })
  await ask(address, { type: 'any' }, { deadlineMs: 1_000, isRepeated: false })
  const plain = { address, command: { type: 'any' }, requestId: 'id', deadlineMs: 1_000, isInner: false }
  t.strictSame(seen, [{ ...plain, triedMs: 500, isRepeated: true }, plain])
})
