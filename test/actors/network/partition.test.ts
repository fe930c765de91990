import t from 'tap'
import type { Ask } from '../../../actors/asking/ask.js'
import { gatherPartition, passivatePartition } from '../../../actors/network/partition.js'
import type { Room } from '../../../actors/weight/room.js'
import type { Address } from '../../../src/domain/address.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createManualClock } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'
import { UNBOUNDED } from '../../support/unbounded.js'

const NETWORK: Address = { kind: 'network', subject: 'tester', id: 'one' }

interface Stored {
  readonly id: string
  readonly partition: string
  readonly memories: number
}

/** A partition of stored sessions, given by their heads; those in `gone` end before they are asked. */
function partitionOf(stored: readonly Stored[], { isDurable = true, gone = [] }: { isDurable?: boolean; gone?: readonly string[] } = {}) {
  const asked: string[] = []
  const passivated: string[] = []
  const options: Parameters<typeof gatherPartition>[0] & Parameters<typeof passivatePartition>[0] = {
    address: NETWORK,
    signal: new AbortController().signal,
    room: UNBOUNDED,
    askAnew: () => Promise.reject(new Error('Nobody is asked anew')),
    clock: createManualClock(),
    storage: {
      isDurable,
      list: async ({ after = '', limit }) =>
        stored
          .map(({ id }) => id)
          .filter((id) => id > after)
          .slice(0, limit),
      async heads({ ids }) {
        const session = { settings: { modelName: 'model-1' }, lastActiveAt: 0 }
        const found = stored.filter(({ id }) => ids.includes(id))
        return new Map(
          found.map(({ id, memories, partition }) => [id, { session, memoryCount: memories, expiresNext: null, ties: { partition } }])
        )
      }
    },
    ask: (async ({ id }: Address) => {
      if (gone.includes(id)) throw new DomainError('session_missing', 'Session not found')
      asked.push(id)
      return { document: { id } }
    }) as Ask,
    sessions: { activeIds: async () => stored.map(({ id }) => id), passivate: async (_, ids) => void passivated.push(...ids) }
  }
  return { options, asked, passivated }
}

const numbered = (count: number, memories = 1): Stored[] =>
  Array.from({ length: count }, (_, at) => ({ id: `s${String(at).padStart(5, '0')}`, partition: 'bob', memories }))

t.test('a partition has the sessions made in it and no other, but for those that end meanwhile', async (t) => {
  const stored = [...numbered(3), { id: 't', partition: 'default', memories: 1 }]
  const { options } = partitionOf(stored, { gone: ['s00001'] })
  t.match((await gatherPartition(options, 'bob')).partition, {
    userId: 'bob',
    sessions: [{ sessionId: 's00000' }, { sessionId: 's00002' }]
  })
})

t.test('a partition that is too much at once is refused before any session is asked', async (t) => {
  for (const [stored, outcome] of [
    [numbered(1_000, 100), 'fulfilled'],
    [numbered(1_001, 0), 'limit_reached'],
    [numbered(2, 50_001), 'limit_reached']
  ] as const) {
    const { options, asked } = partitionOf(stored)
    t.equal(await codeOf(gatherPartition(options, 'bob')), outcome)
    t.equal(asked.length, outcome === 'fulfilled' ? 1_000 : 0)
  }
  const { options } = partitionOf(numbered(2_500).map((one, at) => ({ ...one, partition: at % 3 === 0 ? 'bob' : 'default' })))
  t.equal((await gatherPartition(options, 'bob')).partition.sessions.length, 834, 'those of others do not count')
})

t.test('sessions of a partition are put away only where storage keeps them', async (t) => {
  const stored = [...numbered(2), { id: 't', partition: 'default', memories: 1 }]
  const kept = partitionOf(stored)
  await passivatePartition(kept.options, NETWORK, 'bob')
  t.strictSame(kept.passivated, ['s00000', 's00001'])
  const lost = partitionOf(stored, { isDurable: false })
  await passivatePartition(lost.options, NETWORK, 'bob')
  t.strictSame(lost.passivated, [])
})

t.test('a partition for which there is no memory is refused by what its sessions weigh, before any is asked', async (t) => {
  const { options, asked } = partitionOf(numbered(3))
  const heads: typeof options.storage.heads = async (query) =>
    new Map(Array.from(await options.storage.heads(query), ([id, head]) => [id, { ...(head as object), weight: { heap: 10, buffers: 5 } }]))
  const weighing = { ...options, storage: { ...options.storage, heads } }
  const held: unknown[] = []
  const room = { hold: (weight: unknown) => void held.push(weight) } as Room
  t.match(await gatherPartition({ ...weighing, room }, 'bob'), { weight: { heap: 30, buffers: 15 } })
  t.strictSame(held, [{ heap: 30, buffers: 15 }])
  asked.length = 0
  const full = {
    hold: () => {
      throw new DomainError('memory_exhausted', 'full')
    }
  } as object as Room
  t.equal(await codeOf(gatherPartition({ ...weighing, room: full }, 'bob')), 'memory_exhausted')
  t.strictSame(asked, [])
})

t.test('a partition that nobody waits for any more is gathered no further', async (t) => {
  const { options, asked } = partitionOf(numbered(300))
  const leaving = new AbortController()
  const ask: Ask = (address, command, settings) => {
    if (asked.length === 20) leaving.abort()
    return options.ask(address, command, settings)
  }
  t.equal(await codeOf(gatherPartition({ ...options, ask, signal: leaving.signal }, 'bob')), 'deadline_passed')
  t.ok(asked.length < 100, `${String(asked.length)} were asked`)
})
