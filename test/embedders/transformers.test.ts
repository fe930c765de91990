import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { dot, norm } from '../../src/domain/similarity/vector.js'
import { locateModelFiles } from '../../src/embedders/model-files.js'
import { createTransformersEmbedder, type TransformersLimits } from '../../src/embedders/transformers.js'
import { createManualClock, createRecordingLogger, machineClock } from '../support/embedder-ports.js'
import { type TinyBertOptions, writeTinyBert } from '../support/tiny-bert.js'

const TEXTS = [
  'the cat sat on the mat',
  'dogs',
  'my invoice was paid by the bank, thank you',
  'the lazy brown fox jumps over the quick dog and runs to the city of paris with coffee and tea',
  'zebra42 fails with error!'
]

// Loading models takes long on a busy machine: the limit of package.json, also if the file runs by itself, where tap's own limit is 30 s.
t.setTimeout(900_000)

/** Loaded once for all tests that do not change it: a load takes longer than most of them. */
const shared = await open(t)

async function open(t: Test, options: { model?: TinyBertOptions; limits?: Partial<TransformersLimits>; clock?: typeof machineClock } = {}) {
  const modelDir = t.testdir({})
  writeTinyBert(modelDir, 'test/tiny', options.model)
  const files = await locateModelFiles(modelDir, 'test/tiny')
  if (files === null) throw new Error('The test wrote no model')
  const { clock = machineClock, limits = {} } = options
  const embedder = await createTransformersEmbedder({ modelName: 'test/tiny', files, clock, logger: createRecordingLogger(), limits })
  t.teardown(() => embedder.close())
  return embedder
}

t.test('transformers embedder: a batch equals its texts one by one', async (t) => {
  const batch = await shared.embed(TEXTS, { dimension: 384 })
  for (const [index, text] of TEXTS.entries()) {
    const [single] = await shared.embed([text], { dimension: 384 })
    const distance = norm(single!.map((value, place) => value - batch[index]![place]!))
    t.ok(distance < 1e-5, `distance ${distance}`)
    t.ok(Math.abs(norm(single!) - 1) < 1e-5, 'unit length')
  }
  t.ok(dot(batch[0]!, batch[0]!) > dot(batch[0]!, batch[2]!))
})

t.test('transformers embedder: texts without a token get zeros in their places', async (t) => {
  const [empty, blank, word] = await shared.embed(['', ' \n\t', 'cat'], { dimension: 384 })
  t.equal(norm(empty!), 0)
  t.equal(norm(blank!), 0)
  t.ok(norm(word!) > 0.99)
  t.same(await shared.embed([], { dimension: 384 }), [])
})

t.test('transformers embedder: tokens are counted as the model does and cut at its window', async (t) => {
  const embedder = await open(t, { model: { positionsMax: 16 } })
  t.equal(embedder.windowTokens, 14)
  t.equal(embedder.countTokens(''), 0)
  t.equal(embedder.countTokens('the cat'), 2)
  t.equal(embedder.countTokens('xyz'), 3, 'unknown words in pieces')
  const long = 'the cat sat on the mat '.repeat(5_000)
  t.ok(Math.abs(embedder.countTokens(long) / 30_000 - 1) < 0.01, 'extrapolated')
  const [cut, whole] = await embedder.embed([long, 'the cat sat on the mat the cat sat on the mat the cat'], { dimension: 384 })
  t.ok(dot(cut!, whole!) > 1 - 1e-5, 'only the window counts')
})

t.test('transformers embedder: other dimensions are padded to or projected', async (t) => {
  const embedder = await open(t, { model: { width: 48 } })
  const [own] = await embedder.embed(['the cat'], { dimension: 48 })
  const [wide] = await embedder.embed(['the cat'], { dimension: 60 })
  const [narrow] = await embedder.embed(['the cat'], { dimension: 7 })
  t.ok(norm(wide!.slice(0, 48).map((value, index) => value - own![index]!)) < 1e-6)
  t.equal(norm(wide!.slice(48)), 0)
  t.equal(narrow!.length, 7)
  t.ok(Math.abs(norm(narrow!) - 1) < 1e-5)
})

t.test('transformers embedder: a quantised model gives a text the same vector in any company', async (t) => {
  const embedder = await open(t, { model: { weights: 'model_quantized.onnx' } })
  const [alone] = await embedder.embed(['dogs'], { dimension: 384 })
  const company = await embedder.embed(TEXTS, { dimension: 384 })
  t.same(company[1], alone)
})

t.test('transformers embedder: a large batch under way leaves the event loop free', async (t) => {
  const text = 'the quick brown fox jumps over the lazy dog and '.repeat(20)
  const work = { isDone: false }
  const done = shared.embed(Array<string>(64).fill(text), { dimension: 384 }).finally(() => (work.isDone = true))
  let turns = 0
  while (!work.isDone) {
    await setImmediate()
    turns++
  }
  await done
  t.ok(turns > 20, `${turns} iterations of the event loop meanwhile`)
})

t.test('transformers embedder: odd texts are all embedded', async (t) => {
  const texts = ['[CLS] [SEP] [PAD]', '\ud800 lone', '👩‍👩‍👧 emoji', '日本語', 'x'.repeat(100_000), '\0', 'a'.repeat(99) + ' b']
  const vectors = await shared.embed(texts, { dimension: 384 })
  t.ok(vectors.every((vector) => vector.length === 384 && vector.every(Number.isFinite)))
})

t.test('transformers embedder: a full queue refuses with busy', async (t) => {
  const embedder = await open(t, { limits: { queueTextsMax: 2, batchTextsMax: 1 } })
  const accepted = embedder.embed(['cat', 'dog'], { dimension: 384 })
  await t.rejects(embedder.embed(['fox'], { dimension: 384 }), { code: 'busy' })
  t.equal((await accepted).length, 2)
})

t.test('transformers embedder: an aborted call rejects at once and leaves it usable', async (t) => {
  const controller = new AbortController()
  const aborted = shared.embed(TEXTS, { dimension: 384, signal: controller.signal })
  controller.abort()
  await t.rejects(aborted, { code: 'embedder_unavailable' })
  t.equal((await shared.embed(['cat'], { dimension: 384 })).length, 1)
})

t.test('a transformers embedder killed by its deadline in the middle of a batch recovers', async (t) => {
  const clock = createManualClock()
  const embedder = await open(t, { clock, limits: { deadlineMs: 90_000 } })
  const text = 'the quick brown fox jumps over the lazy dog and '.repeat(50)
  const pending = embedder.embed(Array<string>(16).fill(text), { dimension: 384 })
  await setImmediate()
  clock.advance(60_000)
  await t.rejects(pending, { code: 'embedder_unavailable' })
  const [again] = await embedder.embed(['the cat'], { dimension: 384 })
  t.ok(norm(again!) > 0.99)
})

t.test('a closed transformers embedder ends its work first and refuses more', async (t) => {
  const embedder = await open(t)
  const accepted = embedder.embed(TEXTS, { dimension: 384 })
  await Promise.all([embedder.close(), embedder.close()])
  t.equal((await accepted).length, TEXTS.length)
  await t.rejects(embedder.embed(['late'], { dimension: 384 }), { code: 'embedder_unavailable' })
})

t.test('transformers embedder: broken weights are refused without naming a path', async (t) => {
  const modelDir = t.testdir({})
  writeTinyBert(modelDir, 'test/tiny')
  writeFileSync(join(modelDir, 'test/tiny/onnx/model.onnx'), 'not a model')
  const files = (await locateModelFiles(modelDir, 'test/tiny'))!
  const options = { modelName: 'test/tiny', files, clock: machineClock, logger: createRecordingLogger() }
  await t.rejects(createTransformersEmbedder(options), { code: 'embedder_unavailable', message: /^[^/]*$/ })
  writeFileSync(join(modelDir, 'test/tiny/tokenizer.json'), '{')
  await t.rejects(createTransformersEmbedder(options), { code: 'embedder_unavailable', message: /^[^/]*$/ })
})
