/** When a node starts, it activates actors that have outbox messages to deliver or work by the clock. */
import t from 'tap'
import { handOver, wakeActors } from '../../../actors/messaging/reminders.js'
import type { Address } from '../../../src/domain/address.js'
import { DomainError } from '../../../src/domain/errors.js'
import type { ActorStorage, ReminderPage } from '../../../src/ports.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock, settled } from '../../support/manual-clock.js'

const addressOf = (n: number): Address => ({ kind: n % 2 === 0 ? 'session' : 'observer', subject: `s${n % 3}`, id: `a${n}` })

/** Activates the actors for which `storage` has reminders, on a clock of its own. */
function open(
  storage: Pick<ActorStorage, 'reminders'>,
  options: { answer?: (address: Address) => Promise<unknown>; isStopped?: () => boolean } = {}
) {
  const clock = createManualClock()
  const woken: string[] = []
  const logged: string[] = []
  let under = 0
  let most = 0
  const walk = wakeActors({
    storage,
    clock,
    logger: { debug: () => {}, info: () => {}, warn: (_, message) => void logged.push(message), error: () => {} },
    owns: () => true,
    isStopped: options.isStopped ?? (() => false),
    ask: async (address, command) => {
      t.same(command, { type: 'outbox.settle', ids: [] })
      woken.push(address.id)
      under += 1
      most = Math.max(most, under)
      try {
        return await (options.answer ?? settled)(address)
      } finally {
        under -= 1
      }
    }
  })
  return { clock, walk, woken, logged, most: () => most }
}

async function filled(count: number): Promise<ActorStorage> {
  const storage = createMemoryStorage({ retains: true })
  for (let n = 0; n < count; n++) await storage.create(addressOf(n), { head: null, put: [], remove: [], wakes: true })
  await storage.create({ kind: 'session', subject: 's0', id: 'asleep' }, { head: null, put: [], remove: [] })
  return storage
}

t.test('all that want to be woken, of every subject and page, are woken a few at a time', async (t) => {
  const { walk, woken, most } = open(await filled(450))
  await walk
  t.same(woken.sort(), Array.from({ length: 450 }, (_, n) => `a${n}`).sort())
  t.equal(most(), 8)
})

t.test('one that cannot be woken does not keep the others asleep', async (t) => {
  const answer = async ({ id }: Address) => (id === 'a3' ? Promise.reject(new DomainError('restart_limited', 'Failed')) : null)
  const { walk, woken } = open(await filled(20), { answer })
  await walk
  t.equal(woken.length, 20)
})

t.test('a storage that does not answer is asked again from where the walk was', async (t) => {
  const storage = await filled(250)
  let calls = 0
  const failing = {
    reminders: async (query: { after?: string; limit: number }): Promise<ReminderPage> => {
      calls += 1
      return calls === 2 || calls === 3 ? Promise.reject(new DomainError('storage_unavailable', 'Down')) : storage.reminders(query)
    }
  }
  const { clock, walk, woken, logged } = open(failing)
  for (let n = 0; n < 50; n++) await settled()
  t.equal(woken.length, 200)
  await clock.advance(5_000)
  t.equal(woken.length, 200)
  await clock.advance(5_000)
  await walk
  t.equal(woken.length, 250)
  t.equal(new Set(woken).size, 250)
  t.equal(logged.length, 2)
})

t.test('a node that stops wakes nobody any more', async (t) => {
  let isStopped = false
  const { walk, woken } = open(await filled(100), { answer: async () => void (isStopped = true), isStopped: () => isStopped })
  await walk
  t.equal(woken.length, 8)
})

t.test('what only a node that leaves has is handed over for so long, and no longer', async (t) => {
  const clock = createManualClock()
  const asked: { readonly id: string; readonly deadlineMs: number }[] = []
  const addresses = Array.from({ length: 40 }, (_, n) => addressOf(n))
  const handing = handOver(addresses, {
    clock,
    ask: async ({ id }, command, { deadlineMs }) => {
      t.same(command, { type: 'outbox.settle', ids: [] })
      asked.push({ id, deadlineMs })
      if (asked.length <= 16) return new Promise((_, reject) => clock.after(4_000, () => reject(new DomainError('unreachable', 'Gone'))))
      return new Promise((resolve) => clock.after(deadlineMs, () => resolve(null)))
    }
  })
  await clock.advance(4_000)
  await settled()
  t.same(asked.at(0), { id: 'a0', deadlineMs: 10_000 })
  t.equal(asked.length, 32, 'one that fails keeps nobody back')
  t.same(asked.at(-1), { id: 'a31', deadlineMs: 6_000 }, 'all of them have ten seconds together')
  await clock.advance(6_000)
  await handing
  t.equal(asked.length, 32)
})
