/** Files of a model in the model directory. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { codeIn, hasSucceeded } from '../domain/errors.js'
import type { Precision } from './model-name.js'

/** A model with all of its files present. */
export interface ModelFiles {
  /** Absolute path. Must not appear in a message or a log. */
  readonly directory: string
  readonly precision: Precision
}

/** Files that every model needs beside its weights. */
export const DESCRIPTION_FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json'] as const

/** Path of the weights by precision, as exporters lay them out. */
export const WEIGHT_FILES: Readonly<Record<Precision, string>> = {
  fp32: 'onnx/model.onnx',
  q8: 'onnx/model_quantized.onnx'
}

/** Hex digits of the digest in a model's name: 48 bits distinguish a handful of versions of one model. */
const DIGEST_DIGITS = 12

/** Throws when the path exists but is no readable folder. A missing one is fine: a download creates it. */
export async function checkModelFolder(modelDir: string): Promise<void> {
  await readdir(modelDir).catch((error: unknown) => {
    if (codeIn(error) !== 'ENOENT') throw new Error('it is no folder that can be read', { cause: error })
  })
}

/** Directory of a model. `id` must come from `parseModelName`. */
export function modelDirectory(modelDir: string, id: string): string {
  return join(resolve(modelDir), ...id.split('/'))
}

/** Files of the model, full precision preferred unless `precision` is given; null when any is missing. */
export async function locateModelFiles(modelDir: string, id: string, precision?: Precision): Promise<ModelFiles | null> {
  const directory = modelDirectory(modelDir, id)
  const candidates: readonly Precision[] = precision === undefined ? ['fp32', 'q8'] : [precision]
  for (const candidate of candidates) {
    const names = [...DESCRIPTION_FILES, WEIGHT_FILES[candidate]]
    const found = await Promise.all(names.map((name) => hasSucceeded(access(join(directory, name)))))
    if (found.every(Boolean)) return { directory, precision: candidate }
  }
  return null
}

/** SHA-256 over all files that influence a vector, shortened for names. Streams, so that large weights do not block the event loop. */
export async function digestModelFiles(files: ModelFiles): Promise<string> {
  const hash = createHash('sha256')
  for (const name of [...DESCRIPTION_FILES, WEIGHT_FILES[files.precision]]) {
    hash.update(`${name}\n`)
    const chunks: AsyncIterable<Uint8Array> = createReadStream(join(files.directory, name))
    for await (const chunk of chunks) hash.update(chunk)
  }
  return hash.digest('hex').slice(0, DIGEST_DIGITS)
}
