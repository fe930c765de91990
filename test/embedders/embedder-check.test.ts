/**
 * How soon readiness reports that the embedder is unavailable, and that it is back, when it is asked often and answers mostly from a cache.
 */
import t from 'tap'
import { createReadiness } from '../../src/composition/readiness.js'
import { DomainError } from '../../src/domain/errors.js'
import { createCallHealth } from '../../src/embedders/call-health.js'
import { createEmbedderCheck } from '../../src/embedders/embedder-check.js'
import { createManualClock } from '../support/manual-clock.js'

/** Milliseconds between two readiness checks of a load balancer. */
const LOOK_MS = 100

/**
 * Most milliseconds until readiness reports that a failure began, and that it is over. A call that hangs delays the latter until it is
 * given up.
 */
const TOLD_MS_MAX = 5_000
const BACK_MS_MAX = 15_000

const FAILURES = {
  'fails at once': () => Promise.reject(new DomainError('embedder_unavailable', 'The embedding service answered 500')),
  'never answers': () => new Promise<never>(() => undefined)
}

/** A model with the service's wrappers around it. `look`: what readiness says of it; null while that is not known yet. */
function open() {
  const clock = createManualClock()
  let calls = 0
  const model: { embed: () => Promise<unknown> } = { embed: async () => [] }
  const run = () => (calls++, model.embed())
  const health = createCallHealth({ clock, probe: run })
  const embed = () => health.call({ modelName: 'model', subject: '' }, run)
  const probe = async () => {
    await embed()
  }
  const check = createEmbedderCheck({ clock, probe, isFailing: () => health.isFailing('model') })
  const readiness = createReadiness({ clock, probes: { embedder: check } })
  let said: string | null = null
  /** Milliseconds until it says so; null if it does not within `msMax`. */
  const untilSaid = async (wanted: RegExp, msMax: number): Promise<number | null> => {
    for (let ms = 0; ms <= msMax; ms += LOOK_MS) {
      void readiness().then(({ checks }) => (said = checks.embedder))
      await clock.advance(ms === 0 ? 0 : LOOK_MS)
      if (said !== null && wanted.test(said)) return ms
    }
    return null
  }
  return { clock, model, embed, untilSaid, calls: () => calls }
}

for (const [name, fails] of Object.entries(FAILURES)) {
  t.test(`an embedder that ${name} is told within 5 s wherever the last look was, and again when it answers`, async (t) => {
    for (let offsetMs = 0; offsetMs < 3_000; offsetMs += 250) {
      const { clock, model, untilSaid } = open()
      t.equal(await untilSaid(/^ok$/, 0), 0)
      await clock.advance(offsetMs)
      const answers = model.embed
      model.embed = fails
      t.not(await untilSaid(/^error: /, TOLD_MS_MAX), null, `told, ${String(offsetMs)} ms after the last look`)
      t.equal(await untilSaid(/^ok$/, 20_000), null, 'and as long as it is away')
      model.embed = answers
      t.not(await untilSaid(/^ok$/, BACK_MS_MAX), null, 'back')
    }
  })
}

t.test('a call that fails is told by the next look that asks, and looks cost the model a call a second at most', async (t) => {
  const { model, embed, untilSaid, calls } = open()
  t.equal(await untilSaid(/^ok$/, 0), 0)
  model.embed = FAILURES['fails at once']
  await t.rejects(embed(), { code: 'embedder_unavailable' })
  t.ok(((await untilSaid(/^error: /, TOLD_MS_MAX)) ?? Infinity) <= 1_100, 'as soon as what readiness said before has run out')
  const before = calls()
  await untilSaid(/^ok$/, 10_000)
  t.ok(calls() - before <= 11, String(calls() - before))
})
