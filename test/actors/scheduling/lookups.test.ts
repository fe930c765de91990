/** Lookups of records on a storage that answers when the test says so. */
import t from 'tap'
import { createLookups } from '../../../actors/scheduling/lookups.js'
import type { Siblings } from '../../../src/domain/address.js'
import { createManualClock } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'
import { until } from '../../support/until.js'

const MANY = 600

function sessionsOf(subject: string, ...ids: string[]): Siblings {
  return { kind: 'session', subject, ids }
}

function createRig() {
  const clock = createManualClock()
  const asked: { readonly subject: string; answer(): void; fail(): void }[] = []
  const hold = <Found>(subject: string, found: Found) =>
    new Promise<Found>((resolve, reject) => asked.push({ subject, answer: () => resolve(found), fail: () => reject(new Error('storage')) }))
  const lookups = createLookups(
    {
      isDurable: true,
      purge: async () => undefined,
      heads: ({ subject, ids }) => hold(subject, new Map(ids.map((id) => [id, id]))),
      list: ({ subject }) => hold(subject, [subject])
    },
    clock
  )
  return { asked, clock, lookups }
}

t.test('of the looks of one subject a few are under way, and one of another comes next, whatever waits', async (t) => {
  const { asked, lookups } = createRig()
  const loud = Promise.all(Array.from({ length: MANY }, (_, at) => lookups.heads(sessionsOf('loud', String(at)))))
  await until(() => asked.length > 0)
  const first = asked.length
  t.ok(first <= 16, `${String(first)} under way`)
  const quiet = lookups.list({ kind: 'session', subject: 'quiet', limit: 1 })
  await until(() => asked.length === first + 1)
  t.equal(asked.at(-1)?.subject, 'quiet', 'at once')
  asked.at(-1)?.answer()
  t.strictSame(await quiet, ['quiet'])
  for (let at = 0; at < MANY + 1; at++) {
    await until(() => asked.length > at)
    asked[at]?.answer()
  }
  const found = await loud
  t.equal(found.length, MANY, 'none was refused')
  t.strictSame([...(found.at(-1) ?? [])], [[String(MANY - 1), String(MANY - 1)]])
})

t.test('a look that fails gives its place back', async (t) => {
  const { asked, lookups } = createRig()
  const looks = Array.from({ length: 40 }, () => t.rejects(lookups.heads(sessionsOf('a', 'x')), { message: 'storage' }))
  for (let at = 0; at < looks.length; at++) {
    await until(() => asked.length > at)
    asked[at]?.fail()
  }
  await Promise.all(looks)
})

t.test('a look whose turn does not come in the time of a request is refused', async (t) => {
  const { asked, clock, lookups } = createRig()
  const looks = Array.from({ length: 9 }, () => lookups.heads(sessionsOf('a', 'x')))
  const late = codeOf(looks[8] as Promise<unknown>)
  await clock.advance(30_000)
  t.equal(await late, 'deadline_passed')
  for (const { answer } of asked) answer()
  await Promise.all(looks.slice(0, 8))
})
