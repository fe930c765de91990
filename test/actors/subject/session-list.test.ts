import t from 'tap'
import type { Ask } from '../../../actors/asking/ask.js'
import { createSessionList, lastStoredSession } from '../../../actors/subject/session-list.js'
import type { Address } from '../../../src/domain/address.js'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { createMemoryStorage } from '../../../src/storage/memory.js'
import { createManualClock } from '../../support/manual-clock.js'
import { codeOf } from '../../support/runtime.js'

const NOW = 1_700_000_000

interface Stored {
  readonly expiresNext?: number
  readonly lastActiveAt?: number
  readonly backing?: 'cluster'
}

/** Rig of a subject's stored sessions; all sessions that are asked refuse, or have one memory left. */
async function createRig(sessions: Record<string, Stored>, refusal: ErrorCode | null = null) {
  const storage = createMemoryStorage({ retains: true })
  const asked: Address[] = []
  for (const [id, { expiresNext = null, lastActiveAt = NOW - 50, backing = null }] of Object.entries(sessions)) {
    const session = { settings: { modelName: 'm', createdAt: NOW - 100 }, lastActiveAt }
    const head = { session, ties: { backing }, memoryCount: 7, expiresNext }
    await storage.create({ kind: 'session', subject: 'alice', id }, { head, put: [], remove: [] })
  }
  const ask = (async (address: Address) => {
    asked.push(address)
    if (refusal !== null) throw new DomainError(refusal, 'Refused')
    return { modelName: 'm', totalMemories: 1, lastActiveAt: NOW }
  }) as unknown as Ask
  const list = createSessionList({ storage, live: { activeIds: async () => ['b'] }, ask, clock: createManualClock(NOW) })
  return { list, asked, pageOf: async () => (await list('alice', { limit: 10 })).sessions }
}

t.test('a listed session is asked only when memories of it have expired since it was stored', async (t) => {
  const { asked, pageOf } = await createRig({ a: {}, b: { expiresNext: NOW + 1 }, c: { expiresNext: NOW } })
  t.strictSame(
    (await pageOf()).map(({ sessionId, totalMemories, state }) => [sessionId, totalMemories, state]),
    [
      ['a', 7, 'stored'],
      ['b', 7, 'active'],
      ['c', 1, 'stored']
    ]
  )
  t.strictSame(asked, [{ kind: 'session', subject: 'alice', id: 'c' }])
})

t.test('a session that is deleted while it is listed is left out, and one that cannot answer fails the list', async (t) => {
  const gone = await createRig({ a: {}, c: { expiresNext: NOW - 1 } }, 'session_missing')
  t.strictSame(
    (await gone.pageOf()).map(({ sessionId }) => sessionId),
    ['a']
  )
  const sick = await createRig({ a: {}, c: { expiresNext: NOW - 1 } }, 'storage_unavailable')
  t.equal(await codeOf(sick.pageOf()), 'storage_unavailable')
})

t.test('the session used last is that of the latest activity, and none that its owner made and nobody used', async (t) => {
  const { list } = await createRig({
    a: { lastActiveAt: NOW - 20 },
    b: { lastActiveAt: NOW - 10 },
    c: { lastActiveAt: NOW - 15 },
    kept: { lastActiveAt: NOW - 100, backing: 'cluster' }
  })
  t.equal(await lastStoredSession(list, 'alice'), 'b')
  t.equal(await lastStoredSession(list, 'bob'), null)
  const untouched = await createRig({ kept: { lastActiveAt: NOW - 100, backing: 'cluster' } })
  t.equal(await lastStoredSession(untouched.list, 'alice'), null)
})

t.test('a search finds sessions by a part of their id, in capitals or not', async (t) => {
  const { list } = await createRig({ 'Chat-1': {}, 'mail-1': {}, 'CHAT-2': {} })
  const { sessions } = await list('alice', { limit: 10, contains: 'cHAt' })
  t.strictSame(
    sessions.map(({ sessionId }) => sessionId),
    ['CHAT-2', 'Chat-1']
  )
})
