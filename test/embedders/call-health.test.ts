// Effect of one subject's failed calls on the calls of other subjects.
import t from 'tap'
import { DomainError } from '../../src/domain/errors.js'
import { createCallHealth } from '../../src/embedders/call-health.js'
import { createManualClock } from '../support/manual-clock.js'

const MODEL = 'model'
const FAILURE = { code: 'embedder_unavailable', message: 'The embedding service answered 500' }
const fails = () => Promise.reject(new DomainError('embedder_unavailable', FAILURE.message))
const answers = () => Promise.resolve('vectors')

function open() {
  const clock = createManualClock()
  let probes = 0
  const model = { probe: answers as () => Promise<unknown> }
  const health = createCallHealth({ clock, probe: () => (probes++, model.probe()) })
  const call = (subject: string, run: () => Promise<string>) => health.call({ modelName: MODEL, subject }, run)
  return { clock, model, health, call, probes: () => probes, settled: () => clock.advance(0) }
}

t.test('call health: a failure of one subject is told at once to that subject alone', async (t) => {
  const { health, call, probes, clock, settled } = open()
  await t.rejects(call('mallory', fails), FAILURE)
  await settled()
  await t.rejects(call('mallory', answers), FAILURE, 'without another try')
  t.equal(await call('alice', answers), 'vectors')
  t.equal(health.isFailing(MODEL), false)
  t.equal(probes(), 1, 'the model was asked with a text of the service')
  await clock.advance(1_000)
  t.equal(await call('mallory', answers), 'vectors', 'and tries again after a second')
  t.equal(await call('mallory', answers), 'vectors')
})

t.test('call health: calls of one subject that are too many for the model fail nobody else', async (t) => {
  const { call, clock, health } = open()
  const late = t.rejects(
    call('mallory', () => new Promise(() => undefined)),
    { code: 'embedder_unavailable', message: /in time/ }
  )
  await clock.advance(10_000)
  await late
  t.equal(await call('alice', answers), 'vectors')
  t.equal(health.isFailing(MODEL), false)
})

t.test('call health: a model that fails over a text of the service as well is told at once to all, until it answers', async (t) => {
  const { model, health, call, clock, settled, probes } = open()
  model.probe = fails
  await t.rejects(call('mallory', fails), FAILURE)
  await settled()
  t.equal(health.isFailing(MODEL), true)
  await t.rejects(call('alice', answers), FAILURE)
  await clock.advance(1_000)
  await t.rejects(call('alice', fails), FAILURE, 'one tries')
  await settled()
  t.equal(probes(), 2)
  await t.rejects(call('bob', answers), FAILURE)
  await clock.advance(1_000)
  t.equal(await call('bob', answers), 'vectors')
  t.equal(health.isFailing(MODEL), false)
  t.equal(await call('carol', answers), 'vectors')
})

t.test('call health: of many failures at once one is looked into', async (t) => {
  const { model, call, probes, settled } = open()
  let answer: (value: unknown) => void = () => undefined
  model.probe = () => new Promise((resolve) => (answer = resolve))
  for (let n = 0; n < 5; n++) await t.rejects(call(`s${String(n)}`, fails), FAILURE)
  t.equal(probes(), 1)
  answer(null)
  await settled()
  await t.rejects(call('s9', fails), FAILURE)
  t.equal(probes(), 2)
})

t.test('call health: while one caller of a subject tries, the others are told what it was told', async (t) => {
  const { call, clock } = open()
  await t.rejects(call('mallory', fails), FAILURE)
  await clock.advance(1_000)
  let answer: (value: string) => void = () => undefined
  const first = call('mallory', () => new Promise((resolve) => (answer = resolve)))
  await t.rejects(call('mallory', answers), FAILURE)
  answer('late')
  t.equal(await first, 'late')
})
