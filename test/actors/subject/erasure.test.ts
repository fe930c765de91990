import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { NOTHING, erased, erasureRig, turn } from '../../support/erasure-rig.js'

t.test('an erasure asks again until nothing is found, and counts each session once', async (t) => {
  const { erase, asked, requestIds } = erasureRig({ a: [erased(3)], b: [NOTHING, erased(0)], c: [erased(2), erased(1)] })
  t.strictSame(await erase(), { erasedMemories: 6, sessionsAffected: 3 })
  t.equal(asked.length, 9)
  t.equal(requestIds.size, 3, 'each pass is a request of its own')
})

t.test('an erasure asks every kind of actor that may hold something of a user', async (t) => {
  const { erase, askedKinds } = erasureRig({ a: [] }, { kinds: ['session', 'cluster', 'region', 'observer', 'network'] })
  await erase()
  t.same([...askedKinds].sort(), ['cluster', 'network', 'region', 'session'])
})

t.test('an erasure of what is passed on again and again ends, and says that something may be left', async (t) => {
  const rig = (times: number) => erasureRig({ a: Array.from({ length: times }, () => erased(1)) })
  t.strictSame(await rig(4).erase(), { erasedMemories: 4, sessionsAffected: 1 })
  const { erase, asked, forgotten } = rig(9)
  await t.rejects(erase(), {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: something is still written under the name, or passed on between sessions. Repeat the request.'
  })
  t.equal(asked.length, 5)
  t.strictSame(forgotten, ['alice'])
})

t.test('an erasure of more sessions than one page asks every one', async (t) => {
  const ids = Array.from({ length: 400 }, (_, at) => `s${String(at).padStart(4, '0')}`)
  const { erase, asked } = erasureRig(Object.fromEntries(ids.map((id) => [id, []])))
  t.strictSame(await erase(), { erasedMemories: 0, sessionsAffected: 0 })
  t.strictSame([...asked].sort(), ids)
})

t.test('a session that is busy is asked again; one that ended meanwhile is done', async (t) => {
  const { erase, asked, clock } = erasureRig({ a: ['busy', 'deadline_passed', 'fenced', erased(1)], b: ['session_missing'] })
  const done = erase()
  for (let tries = 0; tries < 3; tries++) {
    while (asked.filter((id) => id === 'a').length === tries) await turn()
    await clock.advance(250)
  }
  t.strictSame(await done, { erasedMemories: 1, sessionsAffected: 1 })
})

t.test('a session that is asked again is told so under the same id', async (t) => {
  const { erase, clock, requestIds, repetitions } = erasureRig({ a: ['busy', 'busy'] })
  const done = erase()
  await clock.advance(10_000)
  await done
  t.same(repetitions, [false, true, true])
  t.equal(requestIds.size, 1)
})

t.test('a session that stays busy leaves the erasure incomplete after its deadline, the others erased', async (t) => {
  let purges = 0
  const busy = erasureRig(
    { a: Array.from({ length: 1000 }, () => 'busy' as const), b: [erased(1)] },
    { purge: async () => void (purges += 1) }
  )
  const done = busy.erase().catch((error: unknown) => error)
  while (busy.asked.length < 2) await busy.clock.advance(1)
  await busy.clock.advance(60_000)
  t.match(await done, {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: 1 of 2 sessions and groups could not be reached. Repeat the request.'
  })
  t.equal(purges, 0)
  t.strictSame(busy.forgotten, ['alice'])
})

t.test('a session that fails does not keep the others', async (t) => {
  const { erase, asked } = erasureRig({ a: ['restart_limited'], b: [erased(1)], c: ['internal'] })
  await t.rejects(erase(), { code: 'erasure_incomplete', message: /2 of 3/ })
  t.strictSame(asked.sort(), ['a', 'b', 'c'])
})

t.test('a storage that is gone ends the erasure at once', async (t) => {
  await t.rejects(erasureRig({ a: ['storage_unavailable'], b: [] }).erase(), { code: 'storage_unavailable' })
})

t.test('files that could not be purged leave the erasure incomplete', async (t) => {
  const { erase } = erasureRig(
    { a: [erased(1)] },
    { purge: () => Promise.reject(new DomainError('storage_unavailable', 'secret address')) }
  )
  await t.rejects(erase(), {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: what was erased has not left the files of the storage yet. Repeat the request.'
  })
})

t.test('an erasure that outlasts its request goes on, and is what the repeated request waits for', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock, asked } = erasureRig({ a: [erased(2)] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
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
    const { erase, asked } = erasureRig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
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

t.test('what remembers texts beside the actors forgets those of the subject alone, on every node', async (t) => {
  const { erase, forgotten } = erasureRig({ a: [erased(1)] })
  await erase()
  t.strictSame(forgotten, ['alice', 'alice on other nodes'])
})

t.test('a node that could not be told to forget leaves the erasure incomplete', async (t) => {
  const { erase } = erasureRig({ a: [erased(1)] }, { missing: 1 })
  await t.rejects(erase(), {
    code: 'erasure_incomplete',
    message: 'The erasure is incomplete: 1 nodes could not be reached. Repeat the request.'
  })
})

t.test('a group that held something is asked again, and is no session that was affected', async (t) => {
  const groups = erasureRig({ g: [erased(2)] }, { kinds: ['cluster'] })
  t.strictSame(await groups.erase(), { erasedMemories: 2, sessionsAffected: 0 })
  t.equal(groups.asked.length, 2)
})

t.test('sessions are listed from the first of all names on', async (t) => {
  const { erase, asked } = erasureRig({ '!': [], A: [], z: [] })
  await erase()
  t.strictSame(asked, ['!', 'A', 'z'])
})

for (const code of ['session_missing', 'cluster_missing', 'region_missing'] as const) {
  t.test(`what answers ${code} holds nothing any more, and is not asked again`, async (t) => {
    const { erase, asked } = erasureRig({ a: [code], b: [] })
    t.strictSame(await erase(), { erasedMemories: 0, sessionsAffected: 0 })
    t.strictSame(asked, ['a', 'b'])
  })
}

for (const code of ['busy', 'fenced', 'deadline_passed', 'outcome_unknown'] as const) {
  t.test(`what answers ${code} is asked again a quarter of a second later`, async (t) => {
    const { erase, asked, clock, deadlines } = erasureRig({ a: [code, erased(1)] })
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
    const { erase, asked } = erasureRig({ a: [code] }, { purge: async () => void (purges += 1) })
    await t.rejects(erase(), { code })
    t.strictSame([asked.length, purges], [1, 0])
  })
}

t.test('a fault that is none of the domain is told as it is', async (t) => {
  const fault = new TypeError('not a function')
  await t.rejects(erasureRig({ a: [fault] }).erase(), fault)
})
