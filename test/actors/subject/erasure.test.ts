import t from 'tap'
import type { Ask } from '../../../actors/asking/ask.js'
import { createErasure } from '../../../actors/subject/erasure.js'
import type { ActorKind, Address } from '../../../src/domain/address.js'
import type { Erased } from '../../../src/domain/commands/erasure.js'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { createManualClock } from '../../support/manual-clock.js'

const NOTHING: Erased = { erasedMemories: 0, isAffected: false }

type Answer = Erased | ErrorCode | Error

/** Sessions that answer as told, one answer a time they are asked; nothing afterwards. */
function rig(
  sessions: Readonly<Record<string, readonly Answer[]>>,
  { purge = (): Promise<void> => Promise.resolve(), missing = 0, kinds = ['session'] as readonly ActorKind[] } = {}
) {
  const clock = createManualClock()
  const asked: string[] = []
  const askedKinds = new Set<ActorKind>()
  const requestIds = new Set<string>()
  const repetitions: boolean[] = []
  const deadlines = new Set<number>()
  let forgotten = 0
  const ask = (async (
    address: Address,
    command: { readonly type: string; readonly userId: string },
    options: { readonly requestId: string; readonly isRepeated: boolean; readonly deadlineMs: number }
  ) => {
    const times = asked.filter((id) => id === address.id).length
    asked.push(address.id)
    askedKinds.add(address.kind)
    requestIds.add(options.requestId)
    repetitions.push(options.isRepeated)
    deadlines.add(options.deadlineMs)
    if (!/^(alice|eve) user\.erase (ann|bob)$/.test(`${address.subject} ${command.type} ${command.userId}`))
      throw new Error('asked for something else')
    const answer = sessions[address.id]?.[times] ?? NOTHING
    if (answer instanceof Error) throw answer
    if (typeof answer === 'string') throw new DomainError(answer, answer)
    return answer
  }) as Ask
  const eraseUser = createErasure({
    ask,
    clock,
    caches: [{ forget: () => void (forgotten += 1) }],
    peers: { askAll: async () => ({ answers: [], missing }) },
    storage: {
      async list({ kind, after = '', limit }) {
        if (!kinds.includes(kind)) return []
        return Object.keys(sessions)
          .filter((id) => id > after)
          .sort()
          .slice(0, limit)
      },
      purge
    }
  })
  return {
    clock,
    asked,
    askedKinds,
    requestIds,
    repetitions,
    deadlines,
    erase: (userId = 'ann', subject = 'alice') => eraseUser(subject, userId, { requestId: 'q' }),
    get forgotten() {
      return forgotten
    }
  }
}

const erased = (erasedMemories: number): Erased => ({ erasedMemories, isAffected: true })

t.test('an erasure asks again until nothing is found, and counts each session once', async (t) => {
  const { erase, asked, requestIds } = rig({ a: [erased(3)], b: [NOTHING, erased(0)], c: [erased(2), erased(1)] })
  t.strictSame(await erase(), { erasedMemories: 6, sessionsAffected: 3 })
  t.equal(asked.length, 9)
  t.equal(requestIds.size, 3, 'each pass is a request of its own')
})

t.test('an erasure asks every kind of actor that may hold something of a user', async (t) => {
  const { erase, askedKinds } = rig({ a: [] }, { kinds: ['session', 'cluster', 'region', 'observer', 'network'] })
  await erase()
  t.same([...askedKinds].sort(), ['cluster', 'region', 'session'])
})

t.test('an erasure of what somebody goes on writing ends', async (t) => {
  const { erase, asked } = rig({ a: Array.from({ length: 9 }, () => erased(1)) })
  t.strictSame(await erase(), { erasedMemories: 3, sessionsAffected: 1 })
  t.equal(asked.length, 3)
})

t.test('an erasure of more sessions than one page asks every one', async (t) => {
  const ids = Array.from({ length: 400 }, (_, at) => `s${String(at).padStart(4, '0')}`)
  const { erase, asked } = rig(Object.fromEntries(ids.map((id) => [id, []])))
  t.strictSame(await erase(), { erasedMemories: 0, sessionsAffected: 0 })
  t.strictSame([...asked].sort(), ids)
})

t.test('a session that is busy is asked again; one that ended meanwhile is done', async (t) => {
  const { erase, asked, clock } = rig({ a: ['busy', 'deadline_passed', 'fenced', erased(1)], b: ['session_missing'] })
  const done = erase()
  for (let tries = 0; tries < 3; tries++) {
    while (asked.filter((id) => id === 'a').length === tries) await turn()
    await clock.advance(250)
  }
  t.strictSame(await done, { erasedMemories: 1, sessionsAffected: 1 })
})

t.test('a session that is asked again is told so under the same id', async (t) => {
  const { erase, clock, requestIds, repetitions } = rig({ a: ['busy', 'busy'] })
  const done = erase()
  await clock.advance(10_000)
  await done
  t.same(repetitions, [false, true, true])
  t.equal(requestIds.size, 1)
})

t.test('a session that stays busy leaves the erasure incomplete after its deadline, the others erased', async (t) => {
  let purges = 0
  const busy = rig({ a: Array.from({ length: 1000 }, () => 'busy' as const), b: [erased(1)] }, { purge: async () => void (purges += 1) })
  const done = busy.erase().catch((error: unknown) => error)
  while (busy.asked.length < 2) await busy.clock.advance(1)
  await busy.clock.advance(60_000)
  t.match(await done, {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: 1 of 2 sessions and groups could not be reached. Repeat the request.'
  })
  t.equal(purges, 0)
  t.equal(busy.forgotten, 1)
})

t.test('a session that fails does not keep the others', async (t) => {
  const { erase, asked } = rig({ a: ['restart_limited'], b: [erased(1)], c: ['internal'] })
  await t.rejects(erase(), { code: 'erasure_incomplete', message: /2 of 3/ })
  t.strictSame(asked.sort(), ['a', 'b', 'c'])
})

t.test('a storage that is gone ends the erasure at once', async (t) => {
  await t.rejects(rig({ a: ['storage_unavailable'], b: [] }).erase(), { code: 'storage_unavailable' })
})

t.test('files that could not be purged leave the erasure incomplete', async (t) => {
  const { erase } = rig({ a: [erased(1)] }, { purge: () => Promise.reject(new DomainError('storage_unavailable', 'secret address')) })
  await t.rejects(erase(), {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: what was erased has not left the files of the storage yet. Repeat the request.'
  })
})

t.test('an erasure that outlasts its request goes on, and is what the repeated request waits for', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock, asked } = rig({ a: [erased(2)] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
  const first = erase().catch((error: unknown) => error)
  while (ends.length === 0) await turn()
  await clock.advance(100_000)
  t.match(await first, { code: 'erasure_incomplete', message: /goes on\. Repeat the request\.$/ })
  const repeated = erase()
  ends[0]?.()
  t.strictSame(await repeated, { erasedMemories: 2, sessionsAffected: 1 })
  t.equal(asked.length, 2, 'nothing was asked again')
})

t.test(
  'an erasure asked for while one of the same user is under way looks again after it; one of another user begins at once',
  async (t) => {
    const ends: (() => void)[] = []
    const { erase, asked } = rig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
    const first = erase()
    while (ends.length === 0) await turn()
    const others = [erase(), erase()]
    const other = erase('bob')
    for (let at = 0; at < 20; at++) await turn()
    t.equal(asked.length, 2)
    ends[0]?.()
    await first
    while (ends.length === 1) await turn()
    ends[1]?.()
    await other
    while (ends.length === 2) await turn()
    ends[2]?.()
    await Promise.all(others)
    t.equal(asked.length, 3)
  }
)

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

t.test('a node that could not be told to forget leaves the erasure incomplete', async (t) => {
  const { erase } = rig({ a: [erased(1)] }, { missing: 1 })
  await t.rejects(erase(), {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: 1 nodes could not be reached. Repeat the request.'
  })
})

t.test('a group that held something is asked again, and is no session that was affected', async (t) => {
  const groups = rig({ g: [erased(2)] }, { kinds: ['cluster'] })
  t.strictSame(await groups.erase(), { erasedMemories: 2, sessionsAffected: 0 })
  t.equal(groups.asked.length, 2)
})

t.test('sessions are listed from the first of all names on', async (t) => {
  const { erase, asked } = rig({ '!': [], A: [], z: [] })
  await erase()
  t.strictSame(asked, ['!', 'A', 'z'])
})

for (const code of ['session_missing', 'cluster_missing', 'region_missing', 'observer_missing'] as const) {
  t.test(`what answers ${code} holds nothing any more, and is not asked again`, async (t) => {
    const { erase, asked } = rig({ a: [code], b: [] })
    t.strictSame(await erase(), { erasedMemories: 0, sessionsAffected: 0 })
    t.strictSame(asked, ['a', 'b'])
  })
}

for (const code of ['busy', 'fenced', 'deadline_passed', 'outcome_unknown'] as const) {
  t.test(`what answers ${code} is asked again a quarter of a second later`, async (t) => {
    const { erase, asked, clock, deadlines } = rig({ a: [code, erased(1)] })
    const done = erase()
    while (asked.length === 0) await turn()
    await clock.advance(249)
    t.strictSame(asked, ['a'])
    await clock.advance(1)
    t.strictSame(await done, { erasedMemories: 1, sessionsAffected: 1 })
    t.strictSame([...deadlines], [30_000])
  })
}

for (const code of ['storage_unavailable', 'draining'] as const) {
  t.test(`${code} is what the erasure is refused with, and nothing is purged`, async (t) => {
    let purges = 0
    const { erase, asked } = rig({ a: [code] }, { purge: async () => void (purges += 1) })
    await t.rejects(erase(), { code })
    t.strictSame([asked.length, purges], [1, 0])
  })
}

t.test('a fault that is none of the domain is told as it is', async (t) => {
  const fault = new TypeError('not a function')
  await t.rejects(rig({ a: [fault] }).erase(), fault)
})

t.test('a session that stays busy is asked for a minute, and not once it is over', async (t) => {
  const { erase, asked, clock } = rig({ a: Array.from({ length: 1_000 }, () => 'busy' as const) })
  const done = erase().catch((error: unknown) => error)
  while (asked.length === 0) await turn()
  await clock.advance(59_999)
  t.equal(asked.length, 240)
  await clock.advance(1)
  t.match(await done, { code: 'erasure_incomplete' })
  t.equal(asked.length, 240)
})

t.test('files that could not be purged are the cause of an erasure that is incomplete', async (t) => {
  const cause = new DomainError('storage_unavailable', 'no answer')
  const error: unknown = await rig({ a: [] }, { purge: () => Promise.reject(cause) })
    .erase()
    .catch((error: unknown) => error)
  t.equal(error instanceof Error ? error.cause : undefined, cause)
})

t.test('an erasure is waited for until its time is over, and not longer', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock } = rig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
  const done = erase()
  while (ends.length === 0) await turn()
  await clock.advance(99_999)
  ends[0]?.()
  t.strictSame(await done, { erasedMemories: 0, sessionsAffected: 0 })
})

t.test('an erasure that was repeated before its time was over looks again after it', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock, asked } = rig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
  const first = erase()
  while (ends.length === 0) await turn()
  await clock.advance(99_999)
  const second = erase()
  ends[0]?.()
  await first
  while (ends.length === 1) await turn()
  ends[1]?.()
  await second
  t.equal(asked.length, 2)
})

t.test('requests that came while an erasure was under way share the one after it', async (t) => {
  const ends: (() => void)[] = []
  const { erase, asked } = rig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
  const first = erase()
  while (ends.length === 0) await turn()
  const others = [erase(), erase()]
  ends[0]?.()
  await first
  while (ends.length === 1) await turn()
  ends[1]?.()
  await Promise.all(others)
  t.strictSame([asked.length, ends.length], [2, 2])
})

t.test('an erasure that failed is not what one asked for meanwhile, or later, is told', async (t) => {
  const ends: ((error?: Error) => void)[] = []
  const purge = () => new Promise<void>((resolve, reject) => void ends.push((error) => (error === undefined ? resolve() : reject(error))))
  const { erase } = rig({ a: [] }, { purge })
  const first = erase()
  while (ends.length === 0) await turn()
  const second = erase()
  ends[0]?.(new DomainError('storage_unavailable', 'no answer'))
  await t.rejects(first, { code: 'erasure_incomplete' })
  while (ends.length === 1) await turn()
  ends[1]?.()
  t.strictSame(await second, { erasedMemories: 0, sessionsAffected: 0 })
  const third = erase()
  while (ends.length === 2) await turn()
  ends[2]?.()
  t.strictSame(await third, { erasedMemories: 0, sessionsAffected: 0 })
})

t.test('users of the same name of two subjects are erased side by side', async (t) => {
  const ends: (() => void)[] = []
  const { erase, asked } = rig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
  const first = erase('ann', 'alice')
  while (ends.length === 0) await turn()
  const other = erase('ann', 'eve')
  for (let at = 0; at < 20; at++) await turn()
  t.equal(asked.length, 2)
  ends[0]?.()
  while (ends.length === 1) await turn()
  ends[1]?.()
  await Promise.all([first, other])
})
