import t from 'tap'
import { createReadiness } from '../../src/composition/readiness.js'
import { DomainError } from '../../src/domain/errors.js'
import { createManualClock } from '../support/manual-clock.js'

/** A dependency that works, fails or hangs, as the test wants. */
function createDependency() {
  const hanging: { resolve: () => void; reject: (error: Error) => void }[] = []
  const dependency = {
    probes: 0,
    state: 'works' as 'works' | 'hangs' | Error,
    hanging,
    probe(): Promise<void> {
      dependency.probes += 1
      if (dependency.state === 'hangs') return new Promise((resolve, reject) => hanging.push({ resolve, reject }))
      return dependency.state === 'works' ? Promise.resolve() : Promise.reject(dependency.state)
    }
  }
  return dependency
}

function rig() {
  const clock = createManualClock()
  const [database, embedder] = [createDependency(), createDependency()]
  const checkAll = createReadiness({ clock, probes: { database: () => database.probe(), embedder: () => embedder.probe() } })
  return { clock, database, embedder, checkAll }
}

t.test('dependencies that all answer make a service ready; what is not configured says so', async (t) => {
  const { checkAll } = rig()
  t.strictSame(await checkAll(), { ready: true, checks: { redis: 'not_configured', database: 'ok', embedder: 'ok' } })
})

t.test('checks of the optional sorts are shown where they are configured', async (t) => {
  const probe = async () => undefined
  const checkAll = createReadiness({ clock: createManualClock(), probes: { mongo: probe, nats: probe, embedder: probe } })
  t.strictSame(await checkAll(), {
    ready: true,
    checks: { redis: 'not_configured', database: 'not_configured', mongo: 'ok', nats: 'ok', embedder: 'ok' }
  })
})

t.test('one dependency that fails is named with what may be told of it', async (t) => {
  const { checkAll, clock, database } = rig()
  database.state = new DomainError('storage_unavailable', 'The storage has no room left', { cause: new Error('at 10.0.0.7') })
  t.match(await checkAll(), { ready: false, checks: { database: 'error: The storage has no room left', embedder: 'ok' } })
  await clock.advance(1_000)
  database.state = new Error('connect ECONNREFUSED 10.0.0.7:5432')
  t.match(await checkAll(), { ready: false, checks: { database: 'error: Not available', embedder: 'ok' } })
})

t.test('a dependency that hangs fails at the deadline and holds no other answer up for longer', async (t) => {
  const { checkAll, clock, database } = rig()
  database.state = 'hangs'
  const answer = checkAll()
  await clock.advance(1_999)
  t.equal(clock.pending, 1)
  await clock.advance(1)
  t.match(await answer, { ready: false, checks: { database: 'error: No answer came in time', embedder: 'ok' } })
  database.hanging[0]?.reject(new Error('too late, and heard by nobody'))
  database.state = 'works'
  await clock.advance(1_000)
  t.match(await checkAll(), { ready: true })
  t.equal(clock.pending, 0)
})

t.test('calls at the same time share one probe; a good and a bad result alike hold for one second', async (t) => {
  const { checkAll, clock, database } = rig()
  database.state = 'hangs'
  const first = [checkAll(), checkAll()]
  await clock.advance(500)
  const second = checkAll()
  database.hanging[0]?.resolve()
  for (const answer of await Promise.all([...first, second])) t.equal(answer.ready, true)
  t.equal(database.probes, 1)
  for (const [state, ready] of [
    [new Error('down'), false],
    ['works', true],
    [new Error('down'), false]
  ] as const) {
    database.state = state
    const before = database.probes
    await clock.advance(999)
    t.equal((await checkAll()).ready, !ready, 'what was found last')
    t.equal(database.probes, before)
    await clock.advance(1)
    t.equal((await checkAll()).ready, ready)
    t.equal(database.probes, before + 1)
  }
})

t.test('a probe that throws at once counts as failed', async (t) => {
  const probe = () => {
    throw new Error('at once')
  }
  const checkAll = createReadiness({ clock: createManualClock(), probes: { embedder: probe } })
  t.match(await checkAll(), { ready: false, checks: { embedder: 'error: Not available' } })
})
