import t from 'tap'
import { FAILING, unlessRefused, untilNotBusy } from '../../../actors/asking/answers.js'
import { DomainError, type ErrorCode } from '../../../src/domain/errors.js'
import { createManualClock } from '../../support/manual-clock.js'

const refusal = (code: ErrorCode) => new DomainError(code, 'refused')

t.test('a refusal of the codes that are expected is no answer, and is told; any other one is thrown on', async (t) => {
  t.equal(await unlessRefused(Promise.resolve(7), ['busy']), 7)
  const told: DomainError[] = []
  const missing = refusal('region_missing')
  t.equal(await unlessRefused(Promise.reject(missing), ['region_missing', ...FAILING], (error) => told.push(error)), null)
  t.same(told, [missing])
  t.equal(await unlessRefused(Promise.reject(refusal('internal')), FAILING), null)
  await t.rejects(unlessRefused(Promise.reject(refusal('busy')), FAILING), { code: 'busy' })
  await t.rejects(unlessRefused(Promise.reject(new TypeError('a bug')), ['internal']), TypeError)
})

t.test('an actor that is busy is asked again six times, a little later each time, and then its refusal stands', async (t) => {
  const clock = createManualClock()
  const startedMs = clock.monotonicMs()
  const askedAtMs: number[] = []
  const asked = untilNotBusy(() => {
    askedAtMs.push(clock.monotonicMs() - startedMs)
    return Promise.reject(refusal('busy'))
  }, clock)
  const rejected = t.rejects(asked, { code: 'busy' })
  await clock.advance(10_000)
  await rejected
  t.same(askedAtMs, [0, 10, 30, 70, 150, 310, 630])
  t.equal(clock.pending, 0)
})

t.test('the first answer counts, and any other refusal is not asked about again', async (t) => {
  const clock = createManualClock()
  let tries = 0
  const asked = untilNotBusy(() => (++tries === 2 ? Promise.resolve('done') : Promise.reject(refusal('busy'))), clock)
  await clock.advance(10)
  t.equal(await asked, 'done')
  t.equal(tries, 2)
  await t.rejects(
    untilNotBusy(() => Promise.reject(refusal('fenced')), clock),
    { code: 'fenced' }
  )
  t.equal(clock.pending, 0)
})
