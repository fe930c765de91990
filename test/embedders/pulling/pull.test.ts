/** Fetching a model from a hub on a real socket, and from a folder. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { locateModelFiles } from '../../../src/embedders/model-files.js'
import { createFolderSource } from '../../../src/embedders/pulling/folder-source.js'
import { createHubSource } from '../../../src/embedders/pulling/hub-source.js'
import { pullModelFiles, type PullOptions } from '../../../src/embedders/pulling/pull.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import { startHub, writePublishedModel } from '../../support/model-hub.js'

const MODEL = 'owner/tiny'
const WEIGHTS = 'onnx/model_quantized.onnx'
const clock = createSystemClock()

function optionsOf(hubUrl: string, modelDir: string, changes: Partial<PullOptions> = {}): PullOptions {
  return {
    source: createHubSource({ hubUrl, id: MODEL, clock }),
    modelDir,
    id: MODEL,
    precision: 'q8',
    sha256: undefined,
    clock,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    retryMs: 1,
    ...changes
  }
}

function published(t: Pick<Test, 'testdir'>): { readonly folder: string; readonly files: string } {
  const folder = t.testdir()
  return { folder, files: writePublishedModel(folder, MODEL) }
}

t.test('a pulled model is the published one, with its progress told in bytes', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { [MODEL]: files })
  const modelDir = join(files, '../../here')
  const told: number[] = []
  const pulled = await pullModelFiles(optionsOf(hub.url, modelDir, { onProgress: (bytes, total) => told.push(bytes / total) }))
  t.strictSame(
    pulled.files.map(({ name, checksum }) => [name, checksum.algorithm]),
    [
      ['config.json', 'git'],
      ['tokenizer.json', 'git'],
      ['tokenizer_config.json', 'git'],
      [WEIGHTS, 'sha256']
    ]
  )
  for (const { name } of pulled.files) t.ok(readFileSync(join(pulled.directory, name)).equals(readFileSync(join(files, name))), name)
  t.match(await locateModelFiles(modelDir, MODEL, 'q8'), { precision: 'q8' })
  t.equal(told.at(-1), 1)
  t.same(
    told,
    [...told].sort((a, b) => a - b)
  )
  t.same(readdirSync(modelDir), ['owner'], 'nothing is left beside it')
})

t.test('a connection that is cut is taken up where it was', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { [MODEL]: files })
  hub.cut(WEIGHTS, [1_000, 2_000])
  const modelDir = join(files, '../../here')
  const pulled = await pullModelFiles(optionsOf(hub.url, modelDir))
  t.ok(readFileSync(join(pulled.directory, WEIGHTS)).equals(readFileSync(join(files, WEIGHTS))))
  t.same(hub.rangesOf(WEIGHTS), ['', 'bytes=1000-', 'bytes=3000-'])
})

t.test('a pull that gave up is gone on with by the next one', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { [MODEL]: files })
  const modelDir = join(files, '../../here')
  hub.cut(WEIGHTS, [1_000, 0, 0, 0, 0, 0])
  await t.rejects(pullModelFiles(optionsOf(hub.url, modelDir)), { name: 'SourceError', isPassing: true })
  t.equal(await locateModelFiles(modelDir, MODEL), null, 'half a model is none')
  hub.cut(WEIGHTS, [])
  await pullModelFiles(optionsOf(hub.url, modelDir))
  t.equal(hub.rangesOf(WEIGHTS).at(-1), 'bytes=1000-')
  t.match(await locateModelFiles(modelDir, MODEL), { precision: 'q8' })
})

t.test('a source that cannot begin in the middle sends the whole file again', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { [MODEL]: files }, { ranges: false })
  hub.cut(WEIGHTS, [1_000])
  const { directory } = await pullModelFiles(optionsOf(hub.url, join(files, '../../here')))
  t.ok(readFileSync(join(directory, WEIGHTS)).equals(readFileSync(join(files, WEIGHTS))))
})

t.test('a file that is not what its checksum says is thrown away', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { [MODEL]: files })
  const modelDir = join(files, '../../here')
  const options = optionsOf(hub.url, modelDir, { sha256: '0'.repeat(64) })
  await t.rejects(pullModelFiles(options), { name: 'ChecksumError', message: /^onnx\/model_quantized.onnx is not what/ })
  t.equal(await locateModelFiles(modelDir, MODEL), null)
  const sha256 = createHash('sha256')
    .update(readFileSync(join(files, WEIGHTS)))
    .digest('hex')
  await pullModelFiles({ ...options, sha256 })
  t.match(await locateModelFiles(modelDir, MODEL), { precision: 'q8' })
})

t.test('a model that the hub does not have is refused at once', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { 'owner/other': files })
  await t.rejects(pullModelFiles(optionsOf(hub.url, join(files, '../../here'))), { message: /has no config.json/, isPassing: false })
})

t.test('a full disk keeps what is there and says so', async (t) => {
  const { files } = published(t)
  const hub = await startHub(t, { [MODEL]: files })
  const modelDir = join(files, '../../here')
  mkdirSync(join(modelDir, '.pull-owner--tiny/onnx'), { recursive: true })
  symlinkSync('/dev/full', join(modelDir, '.pull-owner--tiny', WEIGHTS))
  await t.rejects(pullModelFiles(optionsOf(hub.url, modelDir)), { name: 'DiskFullError', message: /What was fetched stays/ })
  t.ok(statSync(join(modelDir, '.pull-owner--tiny/tokenizer.json')).size > 0)
})

t.test('a model in a folder needs a list of checksums', async (t) => {
  const { folder, files } = published(t)
  const options = optionsOf('', join(folder, 'here'), { source: createFolderSource(files) })
  await t.rejects(pullModelFiles(options), { message: /no checksum of config.json/ })
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', WEIGHTS]
  const lines = names.map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(join(files, name)))
        .digest('hex')}  ${name}`
  )
  writeFileSync(join(files, 'SHA256SUMS'), `${lines.join('\n')}\n`)
  await pullModelFiles(options)
  t.match(await locateModelFiles(join(folder, 'here'), MODEL), { precision: 'q8' })
})

t.test('weights of another precision join the model that is there, and another version of it is left alone', async (t) => {
  const { folder, files } = published(t)
  writeFileSync(join(files, 'onnx/model.onnx'), 'full precision')
  const hub = await startHub(t, { [MODEL]: files })
  const modelDir = join(folder, 'here')
  await pullModelFiles(optionsOf(hub.url, modelDir))
  await pullModelFiles(optionsOf(hub.url, modelDir, { precision: 'fp32' }))
  t.match(await locateModelFiles(modelDir, MODEL, 'q8'), { precision: 'q8' })
  t.match(await locateModelFiles(modelDir, MODEL, 'fp32'), { precision: 'fp32' })
  writeFileSync(join(files, 'config.json'), '{"other": true}')
  await t.rejects(pullModelFiles(optionsOf(hub.url, modelDir)), { message: /another version of config.json/ })
})
