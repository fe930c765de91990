/** A worker thread that runs one model: started, watched, restarted, ended here. */
import { Worker } from 'node:worker_threads'
import { DomainError } from '../domain/errors.js'
import type { Clock, Logger } from '../ports.js'
import { TextsRefusedError } from './batch-queue.js'
import type { ModelFiles } from './model-files.js'
import { workerEntry } from './worker-entry.js'
import type { ModelConfig } from './transformers-runtime.js'

export interface EncoderThreadData {
  readonly files: ModelFiles
  readonly config: ModelConfig
}

export interface EncoderRequest {
  readonly id: number
  readonly texts: readonly string[]
}

export type EncoderReply =
  | { readonly kind: 'ready'; readonly width: number }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: Float32Array[] }
  | { readonly kind: 'refused'; readonly id: number }

export interface EncoderThread {
  /** Numbers in one vector. */
  readonly width: number
  /** Throws `embedder_unavailable` when the thread dies, hangs, or has died too often. */
  run(texts: readonly string[]): Promise<Float32Array[]>
  /** Ends the thread; what is under way fails. Closing twice is fine. */
  close(): Promise<void>
}

export interface EncoderThreadOptions extends EncoderThreadData {
  readonly clock: Clock
  readonly logger: Logger
  /** The thread's program. Default: `transformers-worker`. */
  readonly entry?: URL
}

/** Reading and preparing the weights: the largest that are downloaded (512 MB) from a disk of 10 MB/s. */
const LOAD_DEADLINE_MS = 60_000

/** One batch: twice what callers wait (`TransformersLimits.deadlineMs`), so that what ends here hangs rather than is slow. */
const RUN_DEADLINE_MS = 60_000

/** Restart intensity, as for an actor: 5 in 30 s, then refused until the window has moved on. */
const STARTS_MAX = 5
const STARTS_WINDOW_MS = 30_000

/** One life of the thread. */
interface Life {
  /** Resolves to the width. Rejects when the thread ends before it is ready. */
  readonly ready: Promise<number>
  run(texts: readonly string[]): Promise<Float32Array[]>
  end(): Promise<void>
}

/**
 * Starts the thread and waits until the model is loaded. A thread that died is started again by the next `run`, not by itself:
 * a model that nobody asks for needs no thread. Throws `embedder_unavailable`.
 */
export async function createEncoderThread(options: EncoderThreadOptions): Promise<EncoderThread> {
  const { clock, logger } = options
  let starts: number[] = []
  let isClosed = false
  let life: Life | null = null

  function livingThread(): Life {
    if (isClosed) throw unavailable('The embedder is closed')
    if (life !== null) return life
    const now = clock.monotonicMs()
    starts = starts.filter((startedMs) => now - startedMs < STARTS_WINDOW_MS)
    if (starts.length >= STARTS_MAX) throw unavailable('The embedding model failed too often and is paused')
    starts.push(now)
    const started = startLife(options, () => {
      if (life === started) life = null
      if (!isClosed) logger.warn({}, 'The embedding thread ended')
    })
    life = started
    return started
  }

  const width = await livingThread().ready
  return {
    width,
    async run(texts) {
      const living = livingThread()
      await living.ready
      return living.run(texts)
    },
    async close() {
      isClosed = true
      await life?.end()
    }
  }
}

function startLife(options: EncoderThreadOptions, onEnd: () => void): Life {
  const { clock, files, config } = options
  const data: EncoderThreadData = { files, config }
  // Captured and dropped: the package prints warnings that quote paths.
  const worker = new Worker(options.entry ?? workerEntry('./transformers-worker', import.meta.url), {
    workerData: data,
    stdout: true,
    stderr: true
  })
  worker.stdout.resume()
  worker.stderr.resume()
  const ready = settleable<number>()
  const pending = new Map<number, Settleable<Float32Array[]>>()
  let lastId = 0
  let hasEnded = false

  const end = async (): Promise<void> => {
    await worker.terminate()
  }
  const stopLoadTimer = clock.after(LOAD_DEADLINE_MS, () => void end())
  const onStop = (): void => {
    if (hasEnded) return
    hasEnded = true
    stopLoadTimer()
    const error = unavailable('The embedding model stopped')
    ready.reject(error)
    for (const waiter of pending.values()) waiter.reject(error)
    pending.clear()
    onEnd()
  }
  worker.on('error', onStop)
  worker.on('messageerror', () => void end())
  worker.on('exit', onStop)
  worker.on('message', (reply: EncoderReply) => {
    if (reply.kind === 'ready') {
      stopLoadTimer()
      ready.resolve(reply.width)
      return
    }
    const waiter = pending.get(reply.id)
    pending.delete(reply.id)
    if (reply.kind === 'vectors') waiter?.resolve(reply.vectors)
    else waiter?.reject(new TextsRefusedError('The embedding model refused the text'))
  })

  return {
    ready: ready.promise,
    async run(texts) {
      if (hasEnded) throw unavailable('The embedding model stopped')
      const id = ++lastId
      const waiter = settleable<Float32Array[]>()
      pending.set(id, waiter)
      const request: EncoderRequest = { id, texts }
      worker.postMessage(request)
      const stopTimer = clock.after(RUN_DEADLINE_MS, () => void end())
      return waiter.promise.finally(stopTimer)
    },
    end
  }
}

interface Settleable<Value> {
  readonly promise: Promise<Value>
  resolve(value: Value): void
  reject(error: unknown): void
}

function settleable<Value>(): Settleable<Value> {
  let resolve: (value: Value) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<Value>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Nobody may be waiting when a thread ends; those who are get the rejection all the same.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

function unavailable(message: string): DomainError {
  return new DomainError('embedder_unavailable', message)
}
