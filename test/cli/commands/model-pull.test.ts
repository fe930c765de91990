import type { ChildProcess } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { engram } from '../../support/command-line.js'
import { startHub, writePublishedModel } from '../../support/model-hub.js'
import { until } from '../../support/until.js'

const MODEL = 'owner/tiny'
const WEIGHTS = 'onnx/model_quantized.onnx'

t.test('model pull: fetches, is interrupted, goes on, and says how to use it', async (t) => {
  const folder = t.testdir()
  const hub = await startHub(t, { [MODEL]: writePublishedModel(folder, MODEL) })
  const env = { SERVICE_MODEL_DIR: join(folder, 'here') }
  hub.hold(WEIGHTS, 1_000)
  let child: ChildProcess | undefined
  const broken = engram(['model', 'pull', MODEL, '--from', hub.url], { env, watch: (started) => (child = started) })
  const partial = join(folder, 'here/.pull-owner--tiny', WEIGHTS)
  await until(() => existsSync(partial) && statSync(partial).size === 1_000)
  child?.kill('SIGINT')
  t.match(await broken, { code: 130, stderr: /Interrupted\. The same command goes on where it was\./ })
  const pulled = await engram(['model', 'pull', MODEL, '--from', hub.url], { env })
  t.match(pulled, { code: 0, stdout: /each as its checksum says\.\nUse it: SERVICE_EMBEDDER=transformers/, stderr: /100%/ })
  t.same(hub.rangesOf(WEIGHTS), ['', 'bytes=1000-'])
  const again = await engram(['model', 'pull', MODEL, '--from', hub.url, '--json'], { env })
  t.match(JSON.parse(again.stdout), { model: MODEL, files: [{ name: 'config.json' }, {}, {}, { name: WEIGHTS, sha256: /^[0-9a-f]{64}$/ }] })
})

t.test('model pull: a hub that is away exits with 4, a model that is not there and a wrong checksum with 1', async (t) => {
  const folder = t.testdir()
  const hub = await startHub(t, { [MODEL]: writePublishedModel(folder, MODEL) })
  const pull = (...args: string[]) => engram(['model', 'pull', '--dir', join(folder, 'here'), ...args])
  t.match(await pull(MODEL, '--from', 'http://127.0.0.1:9'), { code: 4, stderr: /cannot be reached\. The same command/ })
  t.match(await pull('owner/none', '--from', hub.url), { code: 1, stderr: /has no config\.json/ })
  t.match(await pull(MODEL, '--from', hub.url, '--sha256', 'f'.repeat(64)), { code: 1, stderr: /is not what its checksum says/ })
  t.match(await pull(MODEL, '--from', folder), { code: 1, stderr: /no checksum of config\.json: give a SHA256SUMS/ })
})
