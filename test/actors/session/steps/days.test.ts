/** The counts by day of a session. */
import t from 'tap'
import { DAYS_MAX } from '../../../../src/domain/day-counts.js'
import { createSessionRig, RIG_START } from '../../../support/session-rig.js'

const DAY_S = 86_400
const dateAt = (now: number) => new Date(now * 1000).toISOString().slice(0, 10)

t.test('turns, drift and short circuits are counted by day, and survive storage, a reset, an erasure and an import', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  t.same((await session.ask({ type: 'session.days' })).days, [])
  await session.run('How do I enable 2FA for my mail account?')
  await session.run('Which soil suits roses?', { response: 'Settings, Security, Two-step verification, then choose an app.' })
  const first = await session.ask({ type: 'session.days' })
  t.match(first.days, [{ date: dateAt(RIG_START), turns: 2, shortCircuits: 0, savedTokens: 0 }])
  t.ok((first.days[0]?.driftMax ?? 0) > 0 && (first.days[0]?.driftMax ?? 2) <= 1)
  t.ok((first.days[0]?.driftMean ?? 2) < (first.days[0]?.driftMax ?? 0))
  rig.advance(DAY_S)
  const again = await session.run('How do I enable 2FA for my mail account?')
  t.equal(again.shortCircuit, true)
  const { days } = await session.ask({ type: 'session.days' })
  t.equal(days[0]?.turns, 2, 'the day before is as it was')
  t.match(days[1], { date: dateAt(RIG_START + DAY_S), turns: 1, shortCircuits: 1 })
  const least = again.context.length / 10
  t.ok((days[1]?.savedTokens ?? 0) > least, 'the block, the message and the answer')
  const stored = (await session.record()).rows.filter(({ collection }) => collection === 'day')
  t.equal(stored.length, 2)
  t.notMatch(JSON.stringify(stored), /2FA|soil/)
  t.notMatch(session.exported(), 'shortCircuits')

  const exported = session.exported()
  await session.run('Something else', { resetContext: true, userId: 'ann' })
  await session.ask({ type: 'user.erase', userId: 'ann' })
  await session.ask({ type: 'session.import', stateDict: JSON.parse(exported) as unknown })
  t.match((await session.ask({ type: 'session.days' })).days, [days[0], { turns: 2 }])
})

t.test('a session keeps a month of days, and forgets the oldest', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  for (let day = 0; day < DAYS_MAX + 3; day++) {
    await session.run(`Note ${String(day)}`)
    rig.advance(DAY_S)
  }
  const { days } = await session.ask({ type: 'session.days' })
  t.equal(days.length, DAYS_MAX)
  t.equal(days[0]?.date, dateAt(RIG_START + 3 * DAY_S))
  t.equal((await session.record()).rows.filter(({ collection }) => collection === 'day').length, DAYS_MAX)
  rig.advance(100 * DAY_S)
  await session.run('After a long while')
  t.equal((await session.ask({ type: 'session.days' })).days.length, 1)
})
