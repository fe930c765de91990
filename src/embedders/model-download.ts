/** Downloads a model from the hub into the model directory. */
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '../ports.js'
import { DESCRIPTION_FILES, modelDirectory, WEIGHT_FILES } from './model-files.js'

/** Hub of model files: `{hub}/{id}/resolve/main/{file}`. */
export const HUB_URL = 'https://huggingface.co'

/**
 * Quantised weights: a quarter of the size, and so of the wait at the first start (23 MB against 90 MB for the default model). Operators
 * who want full precision put its files into the model directory, where they are preferred.
 */
const DOWNLOADED_PRECISION = 'q8'

/** Maximum bytes of one file: several times the largest small sentence-embedding model. Keeps a wrong name from filling a disk. */
const FILE_BYTES_MAX = 512 * 1024 * 1024

interface ModelDownload {
  readonly modelDir: string
  /** From `parseModelName`. */
  readonly id: string
  readonly hubUrl: string
  readonly clock: Clock
  /** Milliseconds to the hub's first answer; without a network, the service then starts without the download. */
  readonly contactDeadlineMs: number
  /** Milliseconds to the last byte. */
  readonly downloadDeadlineMs: number
}

/**
 * Downloads into a temporary directory and renames it at the end, so that no process on the same disk ever sees a half-written model.
 * Throws on any failure and leaves nothing behind.
 */
export async function downloadModel(download: ModelDownload): Promise<void> {
  const { clock, modelDir, id } = download
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Error('The hub did not answer in time'))
  const cancelContact = clock.after(download.contactDeadlineMs, abort)
  const cancelDownload = clock.after(download.downloadDeadlineMs, abort)
  let directory: string | undefined
  try {
    for (const file of [...DESCRIPTION_FILES, WEIGHT_FILES[DOWNLOADED_PRECISION]]) {
      const body = await openFile(download, file, controller.signal)
      cancelContact()
      directory ??= await createPartialDirectory(modelDir)
      await writeFile(body, join(directory, file), controller.signal)
    }
    if (directory === undefined) return
    const target = modelDirectory(modelDir, id)
    await mkdir(dirname(target), { recursive: true })
    await rename(directory, target)
  } finally {
    cancelContact()
    cancelDownload()
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  }
}

async function createPartialDirectory(modelDir: string): Promise<string> {
  await mkdir(resolve(modelDir), { recursive: true })
  return mkdtemp(join(resolve(modelDir), '.download-'))
}

async function openFile(download: ModelDownload, file: string, signal: AbortSignal): Promise<Readable> {
  const response = await fetch(`${download.hubUrl}/${download.id}/resolve/main/${file}`, { signal })
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new Error(`The hub answered ${response.status}`)
  }
  return Readable.fromWeb(response.body)
}

async function writeFile(body: Readable, path: string, signal: AbortSignal): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      let bytes = 0
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > FILE_BYTES_MAX) throw new Error('The file is larger than a model may be')
        yield chunk
      }
    },
    createWriteStream(path),
    { signal }
  )
}
