import t from 'tap'
import type { Ask } from '../../../../actors/asking/ask.js'
import type { SessionState } from '../../../../actors/session/record/state.js'
import { NO_TIES } from '../../../../actors/session/record/ties.js'
import { leaveAll } from '../../../../actors/session/sharing/sagas.js'
import type { Address } from '../../../../src/domain/address.js'
import { DomainError, type ErrorCode } from '../../../../src/domain/errors.js'
import { metaSessionIdOf } from '../../../../src/domain/meta-session.js'
import { createManualClock, settled } from '../../../support/manual-clock.js'
import { codeOf } from '../../../support/runtime.js'

const SESSION = { address: { kind: 'session', subject: 'tester', id: 's' }, ties: NO_TIES } as unknown as SessionState

/** Deletes a session while its subject's network gives these refusals, and then answers. */
async function deleteWith(trustedCount: number | null, refusals: readonly ErrorCode[]) {
  const clock = createManualClock()
  const asked: [Address, type: string][] = []
  const left = [...refusals]
  const ask = (async (address: Address, { type }: { readonly type: string }) => {
    asked.push([address, type])
    const code = left.shift()
    if (code !== undefined) throw new DomainError(code, 'Refused')
    return { dropped: true }
  }) as Ask
  const head = { format: 1, activeUser: 'default', trustedCount }
  const storage = { peek: async () => (trustedCount === null ? null : { head, epoch: 1, version: 1 }) }
  const options = { ask, askAnew: ask, clock, storage, tracer: { isEnabled: false, emit: () => undefined } }
  const deleted = codeOf(leaveAll(options, SESSION, { type: 'session.delete' }))
  await settled()
  await clock.advance(10_000)
  return { outcome: await deleted, asked }
}

t.test('a session that is deleted leaves the trust of its network first, however busy that is', async (t) => {
  const { outcome, asked } = await deleteWith(1, ['busy', 'busy', 'busy'])
  t.equal(outcome, 'fulfilled')
  t.same(
    asked.map(([{ kind, subject }, type]) => [kind, subject, type]),
    Array.from({ length: 4 }, () => ['network', 'tester', 'network.dropSession'])
  )
})

t.test('a session is deleted where there is no network, or none that trusts anybody, and not where it cannot be told', async (t) => {
  for (const trustedCount of [null, 0]) t.same(await deleteWith(trustedCount, []), { outcome: 'fulfilled', asked: [] })
  t.equal((await deleteWith(1, ['user_missing'])).outcome, 'fulfilled')
  t.equal((await deleteWith(1, ['storage_unavailable'])).outcome, 'storage_unavailable')
})

t.test('a session that a region or an observer keeps is deleted by that alone, and by anybody once that is gone', async (t) => {
  for (const [backing, owner, type] of [
    ['region', 'kept', 'region.sample'],
    ['observer', 'one', 'observer.summary']
  ] as const) {
    let answer: () => object = () => ({ observerId: 'kept' })
    const asked: unknown[] = []
    const ask = (async ({ kind, subject, id }: Address, command: { readonly type: string }) => {
      asked.push([kind, subject, id, command.type])
      return answer()
    }) as Ask
    const state = {
      address: { kind: 'session', subject: 'tester', id: metaSessionIdOf('kept') },
      ties: { ...NO_TIES, backing }
    } as unknown as SessionState
    const options = {
      ...{ ask, askAnew: ask, clock: createManualClock(), storage: { peek: async () => null } },
      tracer: { isEnabled: false, emit: () => undefined }
    }
    const deletion = (isByOwner: boolean) =>
      codeOf(leaveAll(options, state, { type: 'session.delete', ...(isByOwner && { isByOwner: true }) }))
    t.equal(await deletion(false), 'in_use', backing)
    t.strictSame(asked, [[backing, 'tester', owner, type]])
    t.equal(await deletion(true), 'fulfilled')
    t.equal(asked.length, 1, 'its owner asks nobody')
    answer = () => {
      throw new DomainError(`${backing}_missing`, 'Gone')
    }
    t.equal(await deletion(false), 'fulfilled')
    answer = () => ({ observerId: 'another' })
    if (backing === 'observer') t.equal(await deletion(false), 'fulfilled', 'it is that of an earlier observer')
    answer = () => {
      throw new DomainError('busy', 'Busy')
    }
    t.equal(await deletion(false), 'busy', 'nobody knows')
  }
})
