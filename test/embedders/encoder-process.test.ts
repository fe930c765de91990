import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createEncoderProcess } from '../../src/embedders/encoder-process.js'
import type { ModelFiles } from '../../src/embedders/model-files.js'
import { createManualClock, createRecordingLogger } from '../support/embedder-ports.js'

const files: ModelFiles = { directory: '/nowhere', precision: 'fp32' }
const config = { modelType: 'bert', positionsMax: 512 }

/** A real process with a program of the test's own: it dies on "die", never answers "hang", refuses "refuse", exits on "exit". */
const PROGRAM = `
process.send({ kind: 'ready', width: 2 })
process.on('message', ({ id, texts }) => {
  if (texts[0] === 'die') throw new Error('killed on purpose')
  if (texts[0] === 'exit') process.exit(0)
  if (texts[0] === 'hang') return
  if (texts[0] === 'refuse') return process.send({ kind: 'refused', id })
  process.send({ kind: 'vectors', id, vectors: texts.map(() => Float32Array.of(1, 0)) })
})`

async function open(t: Test, program = PROGRAM) {
  const clock = createManualClock()
  const logger = createRecordingLogger()
  const entry = { path: join(t.testdir({ 'program.mjs': program }), 'program.mjs'), execArgv: [] }
  const encoder = await createEncoderProcess({ files, config, clock, logger, entry })
  return { encoder, clock, logger }
}

for (const death of ['die', 'exit']) {
  t.test(`an encoder process that ends by "${death}" fails what is under way and starts again`, async (t) => {
    const { encoder, logger } = await open(t)
    t.equal(encoder.width, 2)
    const pending = [encoder.run([death]), encoder.run(['after'])]
    for (const outcome of await Promise.allSettled(pending)) {
      t.match(outcome, { status: 'rejected', reason: { code: 'embedder_unavailable', message: /^[^/]*$/ } })
    }
    t.same(
      (await encoder.run(['again'])).map((vector) => [...vector]),
      [[1, 0]]
    )
    t.equal(logger.entries.filter((entry) => entry.level === 'warn').length, 1)
    await encoder.close()
  })
}

t.test('an encoder process that dies again and again is paused until the window has moved on', async (t) => {
  const { encoder, clock } = await open(t)
  for (let life = 0; life < 5; life++) await t.rejects(encoder.run(['die']), { code: 'embedder_unavailable', message: /stopped/ })
  await t.rejects(encoder.run(['fine']), { code: 'embedder_unavailable', message: /paused/ })
  clock.advance(30_000)
  t.equal((await encoder.run(['fine'])).length, 1)
  await encoder.close()
})

t.test('an encoder process that hangs is ended at its deadline and replaced', async (t) => {
  const { encoder, clock } = await open(t)
  const hanging = encoder.run(['hang'])
  await setImmediate()
  clock.advance(60_000)
  await t.rejects(hanging, { code: 'embedder_unavailable' })
  t.equal((await encoder.run(['fine'])).length, 1)
  await encoder.close()
})

t.test('an encoder process that refuses a text lives on', async (t) => {
  const { encoder, logger } = await open(t)
  await t.rejects(encoder.run(['refuse']), { name: 'TextsRefusedError', code: 'embedder_unavailable' })
  t.equal((await encoder.run(['fine'])).length, 1)
  await encoder.close()
  await encoder.close()
  t.same(logger.entries, [])
  await t.rejects(encoder.run(['late']), { code: 'embedder_unavailable' })
})

t.test('an encoder process that cannot start says so without a path', async (t) => {
  await t.rejects(open(t, 'throw new Error("/secret/path")'), { code: 'embedder_unavailable', message: 'The embedding model stopped' })
  await t.rejects(open(t, 'import "./missing.js"'), { code: 'embedder_unavailable' })
})
