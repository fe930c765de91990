import { rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { norm } from '../../src/domain/similarity/vector.js'
import { LEXICAL_MODEL_NAME } from '../../src/domain/similarity/models.js'
import { createEmbedders, type EmbeddersOptions } from '../../src/embedders/registry.js'
import { createManualClock, createRecordingLogger, machineClock } from '../support/embedder-ports.js'
import { writeTinyBert } from '../support/tiny-bert.js'

// Loading models takes long on a busy machine: the limit of package.json, also if the file runs by itself, where tap's own limit is 30 s.
t.setTimeout(900_000)

const MODEL = 'Xenova/all-MiniLM-L6-v2'
const PINNED = /^Xenova\/all-MiniLM-L6-v2@fp32-[0-9a-f]{12}$/

async function open(t: Test, modelDir: string, options: Partial<EmbeddersOptions> = {}) {
  const logger = createRecordingLogger()
  const embedders = await createEmbedders({
    mode: 'auto',
    modelDir,
    isDownloadAllowed: false,
    clock: machineClock,
    randomness: { next: () => 0 },
    logger,
    ...options
  })
  t.teardown(() => embedders.close())
  return { embedders, logger }
}

function modelDirOf(t: Test, ...ids: string[]): string {
  const modelDir = t.testdir({})
  ids.forEach((id, seed) => writeTinyBert(modelDir, id, { width: 48, seed }))
  return modelDir
}

/** Starts a real server in place of the hub, which serves the files below `root`. */
async function openHub(t: Test, root: string) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    paths.push(path)
    readFile(join(root, path.replace('/resolve/main', ''))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end()
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { hubUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}

t.test('embedders: auto without weights falls back to lexical and says so', async (t) => {
  const { embedders, logger } = await open(t, modelDirOf(t))
  t.equal(embedders.defaultModelName, LEXICAL_MODEL_NAME)
  for (const requested of [undefined, MODEL, '../../etc', 'anything']) t.equal(await embedders.resolve(requested), LEXICAL_MODEL_NAME)
  t.match(logger.entries, [{ level: 'warn', fields: { model_name: LEXICAL_MODEL_NAME, reason: /not installed/ } }])
  await embedders.check()
  const [vector] = await (await embedders.get(LEXICAL_MODEL_NAME)).embed(['some words'], { dimension: 384 })
  t.ok(Math.abs(norm(vector!) - 1) < 1e-5)
})

t.test('embedders: auto with weights takes them and keeps lexical sessions working', async (t) => {
  const { embedders } = await open(t, modelDirOf(t, MODEL, 'test/other'))
  const name = await embedders.resolve(undefined)
  t.match(name, PINNED)
  t.equal(await embedders.resolve(name), name)
  t.match(await embedders.resolve('test/other'), /^test\/other@fp32-/)
  t.equal(await embedders.resolve('unknown/model'), name)
  t.equal(await embedders.resolve('../../../etc/passwd'), name)
  t.equal(await embedders.resolve(LEXICAL_MODEL_NAME), LEXICAL_MODEL_NAME)
  await embedders.check()
  for (const model of [name, LEXICAL_MODEL_NAME]) {
    const [vector] = await (await embedders.get(model)).embed(['the cat'], { dimension: 100 })
    t.ok(Math.abs(norm(vector!) - 1) < 1e-5)
  }
})

t.test('embedders: a session made with weights works while the default is lexical, and not once they are gone', async (t) => {
  const modelDir = modelDirOf(t, MODEL)
  const before = await open(t, modelDir)
  const name = await before.embedders.resolve(undefined)
  const [expected] = await (await before.embedders.get(name)).embed(['the cat'], { dimension: 48 })
  const lexical = await open(t, modelDir, { mode: 'lexical' })
  const [vector] = await (await lexical.embedders.get(name)).embed(['the cat'], { dimension: 48 })
  t.same(vector, expected)
  rmSync(join(modelDir, MODEL), { recursive: true })
  const gone = await open(t, modelDir)
  await t.rejects(gone.embedders.get(name), { code: 'embedder_unavailable', message: /^[^/]*not installed[^/]*$/ })
  writeTinyBert(modelDir, MODEL, { width: 48, seed: 77 })
  const changed = await open(t, modelDir)
  await t.rejects(changed.embedders.get(name), { code: 'embedder_unavailable', message: /another version/ })
})

t.test('embedders: transformers refuses what is missing and any way out of the directory', async (t) => {
  const { embedders } = await open(t, modelDirOf(t, MODEL), { mode: 'transformers' })
  for (const name of ['unknown', '../x', '/etc/passwd', 'a\\b', 'a\0b', 'Xenova/..', '']) {
    await t.rejects(embedders.resolve(name), { code: 'embedder_unavailable', message: /^[^/\\]*$/ }, JSON.stringify(name))
    await t.rejects(embedders.get(name), { code: 'embedder_unavailable' })
  }
})

t.test('embedders: transformers without weights start, are not ready, and recover when the files come', async (t) => {
  const clock = createManualClock()
  const modelDir = modelDirOf(t)
  const { embedders } = await open(t, modelDir, { mode: 'transformers', clock })
  await t.rejects(embedders.check(), { code: 'embedder_unavailable' })
  await t.rejects(embedders.resolve(undefined), { code: 'embedder_unavailable' })
  t.ok((await embedders.get(LEXICAL_MODEL_NAME)).windowTokens > 0)
  writeTinyBert(modelDir, MODEL, { width: 48 })
  await t.rejects(embedders.resolve(undefined), { code: 'embedder_unavailable' }, 'a failure is remembered for a while')
  clock.advance(30_000)
  t.match(await embedders.resolve(undefined), PINNED)
  await embedders.check()
})

t.test('embedders: the default model on the hub is downloaded once and whole', async (t) => {
  const published = t.testdir({ hub: {}, models: {} })
  writeTinyBert(join(published, 'hub'), MODEL, { width: 48, weights: 'model_quantized.onnx' })
  const { hubUrl, paths } = await openHub(t, join(published, 'hub'))
  const modelDir = join(published, 'models')
  const { embedders } = await open(t, modelDir, { isDownloadAllowed: true, hubUrl })
  t.match(await embedders.resolve(undefined), /@q8-[0-9a-f]{12}$/)
  t.equal(paths.length, 4)
  await embedders.resolve('somebody/else')
  t.equal(paths.length, 4, 'a name from a client is never fetched')
  await open(t, modelDir, { isDownloadAllowed: true, hubUrl })
  t.equal(paths.length, 4, 'the files are there now')
})

t.test('embedders: a hub without the weights leaves no half of a model behind', async (t) => {
  const published = t.testdir({ hub: {}, models: {} })
  writeTinyBert(join(published, 'hub'), MODEL, { width: 48 })
  const { hubUrl } = await openHub(t, join(published, 'hub'))
  const { embedders } = await open(t, join(published, 'models'), { isDownloadAllowed: true, hubUrl })
  t.equal(await embedders.resolve(undefined), LEXICAL_MODEL_NAME)
  t.same(await readdir(join(published, 'models')), [])
})

t.test('embedders: a hub that never answers does not hold the start', async (t) => {
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const clock = createManualClock()
  const hubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.once('request', () => clock.advance(1_500))
  const { embedders } = await open(t, modelDirOf(t), { isDownloadAllowed: true, hubUrl, clock })
  t.equal(await embedders.resolve(undefined), LEXICAL_MODEL_NAME)
})

t.test("embedders: http passes names through and tries a client's model first", async (t) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const { model, input } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string; input: string[] }
      asked.push(model)
      response.statusCode = model === 'unknown' ? 404 : 200
      response.end(JSON.stringify({ data: input.map((_, index) => ({ index, embedding: [1, 2, 3] })) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const http = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  const { embedders } = await open(t, modelDirOf(t, MODEL), { mode: 'http', http })
  t.equal(await embedders.resolve(undefined), 'text-embedding-3-small')
  t.same(asked, [])
  t.equal(await embedders.resolve('other'), 'other')
  await t.rejects(embedders.resolve('unknown'), { code: 'embedder_unavailable' })
  await t.rejects(embedders.resolve('un\nknown'), { code: 'embedder_unavailable' })
  t.same(asked, ['other', 'unknown'])
  asked.length = 0
  for (const subject of ['alice', 'alice', 'bob', 'bob']) {
    t.equal(await embedders.resolve('other', subject), 'other')
    await t.rejects(embedders.resolve('unknown', subject), { code: 'embedder_unavailable' })
  }
  t.same(asked, ['other', 'unknown', 'other', 'unknown'], 'once for each subject: that one has asked does not show')
  t.equal((await (await embedders.get('other')).embed(['a'], { dimension: 5 }))[0]!.length, 5)
  await embedders.check()
  await t.rejects(createEmbedders({ ...REQUIRED, mode: 'http', modelDir: '.' }), { code: 'invalid_input' })
})

const REQUIRED = { clock: machineClock, randomness: { next: () => 0 }, logger: createRecordingLogger() }

t.test('embedders that were closed twice refuse afterwards', async (t) => {
  const { embedders } = await open(t, modelDirOf(t, MODEL))
  const embedder = await embedders.get(await embedders.resolve(undefined))
  await Promise.all([embedders.close(), embedders.close()])
  await t.rejects(embedder.embed(['cat'], { dimension: 48 }), { code: 'embedder_unavailable' })
})
