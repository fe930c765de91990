/** What a step states about its reply: whose it is, and whether earlier replies must be forgotten. */
import t from 'tap'
import type { SessionCommand } from '../../../src/domain/commands/session-commands.js'
import { inOneGo } from '../../../src/domain/pieces.js'
import { createSessionRig, type RigSession, type SessionRig } from '../../support/session-rig.js'
import { ANSWER, QUESTION, team } from '../../support/session-team.js'
import { UNBOUNDED, unbounded } from '../../support/unbounded.js'

async function stepOf({ behaviour, now }: SessionRig, { state, address }: RigSession, command: SessionCommand) {
  const prepared = await behaviour.prepare(state, command, unbounded({ requestId: 'r', now }))
  return inOneGo(behaviour.step(state, command, prepared, { address, now, requestId: 'r', isFresh: false, room: UNBOUNDED }))
}

const run = (message: string): SessionCommand => ({ type: 'session.run', message, resetContext: false })

t.test('a reply that tells what a cluster knew is not the session’s own, and any other is', async (t) => {
  const rig = createSessionRig()
  const { a, b } = await team(rig)
  await a.run(QUESTION)
  await a.store(ANSWER)
  t.equal((await stepOf(rig, b, run(QUESTION))).isOwn, true, 'nobody was told yet')
  await rig.deliver()
  t.equal((await stepOf(rig, b, run(QUESTION))).isOwn, false)
  t.equal((await stepOf(rig, b, { type: 'session.metrics' })).isOwn, true)
})

t.test('an erasure forgets all earlier replies, and of a user whom the session never knew those of others', async (t) => {
  const rig = createSessionRig()
  const session = await rig.create()
  await session.run('prune the roses in March', { userId: 'ann' })
  t.match(await stepOf(rig, session, { type: 'user.erase', userId: 'bob' }), { erases: 'foreign replies', changes: null })
  t.match(await stepOf(rig, session, { type: 'user.erase', userId: 'ann' }), { erases: 'replies', changes: {} })
  t.equal((await stepOf(rig, session, run('and the apples'))).erases, undefined)
})
