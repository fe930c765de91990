import t from 'tap'
import { DomainError } from '../../../src/domain/errors.js'
import { erasureRig, turn } from '../../support/erasure-rig.js'

t.test('a session that stays busy is asked for a minute, and not once it is over', async (t) => {
  const { erase, asked, clock } = erasureRig({ a: Array.from({ length: 1_000 }, () => 'busy' as const) })
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
  const error: unknown = await erasureRig({ a: [] }, { purge: () => Promise.reject(cause) })
    .erase()
    .catch((error: unknown) => error)
  t.equal(error instanceof Error ? error.cause : undefined, cause)
})

t.test('an erasure is waited for until its time is over, and not longer', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock } = erasureRig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
  const done = erase()
  while (ends.length === 0) await turn()
  await clock.advance(99_999)
  ends[0]?.()
  t.strictSame(await done, { erasedMemories: 0, sessionsAffected: 0 })
})

t.test('an erasure that was repeated before its time was over looks again after it', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock, asked } = erasureRig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
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
  const { erase, asked } = erasureRig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
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
  const { erase } = erasureRig({ a: [] }, { purge })
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
  const { erase, asked } = erasureRig({ a: [] }, { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) })
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

t.test('of one subject eight erasures are under way, and another subject waits for none of them', async (t) => {
  const ends: (() => void)[] = []
  const { erase, clock, asked } = erasureRig(
    { a: Array.from({ length: 1_000 }, () => 'busy' as const) },
    { purge: () => new Promise<void>((resolve) => void ends.push(resolve)) }
  )
  const users = ['ann', 'bob']
  const begun = Array.from({ length: 8 }, (_, at) => erase(users[at % 2]).catch((error: unknown) => error))
  while (asked.length < 2) await turn()
  const waiting = Array.from({ length: 256 }, (_, at) => erase(users[at % 2]).catch((error: unknown) => error))
  await t.rejects(erase('ann'), { code: 'busy' }, 'there is no room to wait')
  const asks = asked.length
  void erase('ann', 'eve').catch(() => undefined)
  while (asked.length === asks) await turn()
  await clock.advance(10_000)
  t.ok((await Promise.all(waiting)).every((error) => (error as DomainError).code === 'deadline_passed'))
  await clock.advance(60_000)
  t.match(await begun[0], { code: 'erasure_incomplete' })
})
