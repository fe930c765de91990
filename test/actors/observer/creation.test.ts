import t from 'tap'
import type { AskOptions } from '../../../actors/asking/ask.js'
import { createObserverBehaviour } from '../../../actors/observer/behaviour.js'
import { type Address, ONLY_ONE } from '../../../src/domain/address.js'
import type { Command, ReplyOf } from '../../../src/domain/commands/commands.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createManualClock } from '../../support/manual-clock.js'
import { createCountingIds } from '../../support/session-rig.js'
import { UNBOUNDED } from '../../support/unbounded.js'

const OBSERVER: Address = { kind: 'observer', subject: 'tester', id: ONLY_ONE }
const CREATE = { type: 'observer.create', sampleIntervalS: 30, regionIds: [] } as const

t.test('a request that makes the observer makes one meta-session, however often it is tried; another request another one', async (t) => {
  const sessions = new Map<string, string | undefined>()
  const behaviour = createObserverBehaviour({
    clock: createManualClock(),
    ids: createCountingIds(),
    tracer: { isEnabled: false, emit: () => undefined },
    counters: { count: () => undefined },
    ask: async <C extends Command>({ id }: Address, _: C, { requestId }: AskOptions) => {
      if (sessions.has(id)) throw new DomainError('already_exists', 'Session already exists')
      sessions.set(id, requestId)
      return { modelName: 'model-1' } as ReplyOf<C>
    }
  })
  const make = async (requestId: string) =>
    (await behaviour.initiate(OBSERVER, CREATE, { address: OBSERVER, now: 0, requestId, room: UNBOUNDED }))?.state.head
  const first = await make('first')
  t.strictSame(await make('first'), first, 'a try that found the session of the one before')
  await make('second')
  t.equal(sessions.size, 2)
  t.equal(sessions.get(`meta-${String(first?.observerId)}`), `first/observer:${ONLY_ONE}`)
})
