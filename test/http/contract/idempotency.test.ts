import t from 'tap'
import type { AskOptions } from '../../../actors/asking/ask.js'
import { createAsks } from '../../../src/http/contract/resource-ask.js'

const shares = { holds: () => undefined, leaseRecord: () => undefined, releaseBody: () => undefined }
const alice = { subject: 'alice', id: 'r', answerShares: shares, trace: 'of alice' }
const IN_MAY = { type: 'session.store', response: 'In May.' } as const

/** Returns the options with which an actor is asked. */
async function asked({ caller = alice, id = 's', command = IN_MAY, key = 'k' }: Partial<Asking> = {}): Promise<AskOptions> {
  const seen: AskOptions[] = []
  const { askSession } = createAsks(async (_address, _command, options) => {
    seen.push(options)
    return {} as never
  })
  await askSession(caller, id, command, key)
  const [options] = seen
  if (options === undefined) throw new Error('Nothing was asked')
  return options
}

interface Asking {
  readonly caller: Parameters<ReturnType<typeof createAsks>['askSession']>[0]
  readonly id: string
  readonly command: { readonly type: 'session.store'; readonly response: string }
  readonly key: string | null
}

t.test('a request with a key is the same one each time it is sent for its subject, and goes on in its own trace and memory', async (t) => {
  const first = await asked()
  t.equal((await asked({ caller: { ...alice, id: 'another', trace: null } })).requestId, first.requestId)
  t.not(first.requestId, alice.id)
  t.match(first, { trace: 'of alice', largeAnswer: Function })
  t.equal((await asked({ key: null })).requestId, alice.id, 'without a key it has its own id')
})

t.test('a request of another subject, with another key or to another session is another one', async (t) => {
  const all = await Promise.all([
    asked(),
    asked({ caller: { ...alice, subject: 'bob' } }),
    asked({ key: 'l' }),
    asked({ id: 't' }),
    asked({ command: { ...IN_MAY, response: 'In June.' } })
  ])
  t.equal(new Set(all.map(({ requestId }) => requestId)).size, all.length)
})
