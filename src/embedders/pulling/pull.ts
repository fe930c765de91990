/** Downloads a model with visible progress: resumable, verified by checksum, and installed only when all files are correct. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeIn } from '../../domain/errors.js'
import type { Clock } from '../../ports.js'
import { DESCRIPTION_FILES, modelDirectory, WEIGHT_FILES } from '../model-files.js'
import type { Precision } from '../model-name.js'
import { type Checksum, type ModelSource, SourceError, type SourceFile, startChecksum } from './source.js'

export interface PullOptions {
  readonly source: ModelSource
  readonly modelDir: string
  /** From `parseModelName`. */
  readonly id: string
  readonly precision: Precision
  /** SHA-256 of the weights in hex; takes precedence over the source's. */
  readonly sha256: string | undefined
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Reports that `bytes` of `total` are present, over all files. */
  readonly onProgress: (bytes: number, total: number) => void
  /** Milliseconds before the first retry; doubles each time. Default 500. */
  readonly retryMs?: number
}

export interface Pulled {
  /** The model's directory. */
  readonly directory: string
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly checksum: Checksum }[]
}

/** A file does not match its checksum. It was deleted, so that the next pull fetches it again. */
export class ChecksumError extends Error {
  constructor(name: string) {
    super(`${name} is not what its checksum says. It was thrown away: the next try fetches it anew.`)
    this.name = 'ChecksumError'
  }
}

/** The disk is full. Files fetched so far stay for the next pull. */
export class DiskFullError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DiskFullError'
  }
}

/** Tries of one file without progress; any byte received resets the count. */
const TRIES_MAX = 5
const RETRY_MS = 500

/** Milliseconds without a byte after which a source counts as stalled. */
const STALL_MS_MAX = 60_000

/** Maximum bytes of one file. Keeps a wrong name from filling a disk. */
const FILE_BYTES_MAX = 4 * 1024 ** 3

/**
 * Pulls a model. Throws SourceError, ChecksumError or DiskFullError. Fetched parts stay next to the models, and the next pull resumes from
 * them.
 */
export async function pullModelFiles(options: PullOptions): Promise<Pulled> {
  const { source, modelDir, id, precision, signal, sha256 } = options
  const weights = WEIGHT_FILES[precision]
  const found = await source.find([...DESCRIPTION_FILES, weights], signal)
  const files = found.map((file): SourceFile & { readonly checksum: Checksum } => {
    const checksum = sha256 !== undefined && file.name === weights ? ({ algorithm: 'sha256', hex: sha256 } as const) : file.checksum
    if (checksum === null)
      throw new SourceError(`There is no checksum of ${file.name}: give a SHA256SUMS file beside it.`, { isPassing: false })
    if (file.bytes > FILE_BYTES_MAX) throw new SourceError(`${file.name} is larger than a model may be.`, { isPassing: false })
    return { ...file, checksum }
  })
  const partial = join(resolve(modelDir), `.pull-${id.replace('/', '--')}`)
  await mkdir(partial, { recursive: true })
  const here = await Promise.all(files.map(({ name, bytes }) => bytesAt(join(partial, name), bytes)))
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  await refuseWhenFull(partial, total - here.reduce((sum, bytes) => sum + bytes, 0))
  let before = 0
  for (const file of files) {
    await fetchFile(file, join(partial, file.name), { ...options, tell: (bytes) => options.onProgress(before + bytes, total) })
    before += file.bytes
  }
  const directory = modelDirectory(modelDir, id)
  await putInPlace(partial, directory, files)
  return { directory, files: files.map(({ name, bytes, checksum }) => ({ name, bytes, checksum })) }
}

type FetchOptions = Pick<PullOptions, 'clock' | 'signal' | 'retryMs'> & { readonly tell: (bytes: number) => void }

async function fetchFile(file: SourceFile & { readonly checksum: Checksum }, path: string, options: FetchOptions): Promise<void> {
  const { clock, signal, retryMs = RETRY_MS, tell } = options
  await mkdir(dirname(path), { recursive: true })
  let triesLeft = TRIES_MAX
  for (let have = await bytesAt(path, file.bytes); ;) {
    tell(have)
    try {
      if (have < file.bytes) await append(file, path, { ...options, start: have })
    } catch (error) {
      signal.throwIfAborted()
      if (isDiskFull(error)) throw new DiskFullError('The disk is full. What was fetched stays: free some space and pull again.', error)
      if (!(error instanceof SourceError && error.isPassing)) throw error
      const now = await bytesAt(path, file.bytes)
      triesLeft = now > have ? TRIES_MAX : triesLeft - 1
      have = now
      if (triesLeft === 0) throw error
      await wait(clock, retryMs * 2 ** (TRIES_MAX - triesLeft), signal)
      continue
    }
    if (await isAsIs(path, file)) return
    await rm(path, { force: true })
    throw new ChecksumError(file.name)
  }
}

/** Fetches the rest of a file. Throws a passing SourceError when the source breaks off. */
async function append(file: SourceFile, path: string, options: FetchOptions & { readonly start: number }): Promise<void> {
  const { clock, signal, start: wanted, tell } = options
  const stalled = new AbortController()
  const opened = await file.read(wanted, signal)
  let bytes = opened.start
  let cancel = clock.after(STALL_MS_MAX, () => stalled.abort())
  let failure: unknown
  const counted = async function* (body: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of broken(body)) {
        cancel()
        cancel = clock.after(STALL_MS_MAX, () => stalled.abort())
        bytes += chunk.length
        if (bytes > file.bytes) throw new SourceError(`${file.name} is longer than announced.`, { isPassing: false })
        tell(bytes)
        yield chunk
      }
    } catch (error) {
      // Throwing here would discard data that is on its way to the disk.
      failure = error
    }
  }
  const output = createWriteStream(path, { flags: opened.start === 0 ? 'w' : 'a' })
  try {
    // Only the generator reads the body, so that its errors can be told from those of the disk.
    await pipeline(counted(opened.body), output, { signal: AbortSignal.any([signal, stalled.signal]) })
  } catch (error) {
    if (stalled.signal.aborted && !signal.aborted)
      throw new SourceError('The source sends nothing any more.', { isPassing: true, cause: error })
    throw error
  } finally {
    cancel()
  }
  if (failure !== undefined) throw failure as Error
  if (bytes < file.bytes) throw new SourceError('The source broke off.', { isPassing: true })
}

/** Converts errors of the body to SourceErrors, so that they can be told from errors of the disk. */
async function* broken(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body as AsyncIterable<Uint8Array>
  } catch (cause) {
    throw new SourceError('The source broke off.', { isPassing: true, cause })
  }
}

/** Bytes of the file that are present; 0 if there are more than the file has. */
async function bytesAt(path: string, bytesMax: number): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() === true && found.size <= bytesMax ? found.size : 0
}

async function isAsIs(path: string, { checksum, bytes }: { readonly checksum: Checksum; readonly bytes: number }): Promise<boolean> {
  const hash = startChecksum(checksum.algorithm, bytes)
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) hash.update(chunk)
  return hash.digest('hex') === checksum.hex
}

async function refuseWhenFull(folder: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < needed) throw new DiskFullError(`The disk has no room for ${String(Math.ceil(needed / 1e6))} MB more.`)
}

/** Moves the whole directory if there is none yet; else moves the files one by one, the weights last. */
async function putInPlace(partial: string, directory: string, files: readonly Pulled['files'][number][]): Promise<void> {
  await mkdir(dirname(directory), { recursive: true })
  if ((await stat(directory).catch(() => null)) === null) {
    await rename(partial, directory)
    return
  }
  for (const file of files) {
    const known = join(directory, file.name)
    if ((await stat(known).catch(() => null)) !== null && !(await isAsIs(known, file)))
      throw new SourceError(`There is another version of ${file.name} in the model directory: move it away first.`, { isPassing: false })
  }
  for (const { name } of files) {
    await mkdir(dirname(join(directory, name)), { recursive: true })
    await rename(join(partial, name), join(directory, name))
  }
  await rm(partial, { recursive: true, force: true })
}

function isDiskFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeIn(error) ?? '')
}

async function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolveWait, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    const cancel = clock.after(delayMs, () => {
      signal.removeEventListener('abort', stop)
      resolveWait()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}
