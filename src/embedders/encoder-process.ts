/**
 * A child process that runs one model: starts, watches, restarts and ends it. Not a thread: onnxruntime-node 1.14 keeps static state across
 * the environments of a process and corrupts the heap once one of them has ended (seen in 4 of 4 runs of
 * `test/embedders/transformers.test.ts` with threads), and a crash in native code must not end the service.
 */
import { fork } from 'node:child_process'
import { createPendingCalls } from '../domain/collections/pending-calls.js'
import type { Clock, Logger } from '../ports.js'
import { TextsRefusedError } from './batch-queue.js'
import { unavailable } from './cancellation.js'
import type { ModelFiles } from './model-files.js'
import { programEntry, type ProgramEntry } from './program-entry.js'
import type { ModelConfig } from './transformers-runtime.js'

export interface EncoderTask {
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

interface EncoderProcess {
  /** Dimension of the vectors. */
  readonly width: number
  /** Throws `embedder_unavailable` when the process dies, hangs, or has died too often. */
  run(texts: readonly string[]): Promise<Float32Array[]>
  /** Ends the process; calls under way fail. Safe to call twice. */
  close(): Promise<void>
}

interface EncoderProcessOptions extends EncoderTask {
  readonly clock: Clock
  readonly logger: Logger
  /** Program of the process. Default: `encoder-main`. */
  readonly entry?: ProgramEntry
}

/** Time to read and prepare the weights: the largest that are downloaded (512 MB) from a disk of 10 MB/s. */
const LOAD_DEADLINE_MS = 60_000

/** Time for one batch: twice what callers wait (`TransformersLimits.deadlineMs`), so that it hits processes that hang, not slow ones. */
const RUN_DEADLINE_MS = 60_000

/** Restart intensity, as for actors: 5 starts in 30 s; beyond, calls are refused until the window has moved on. */
const STARTS_MAX = 5
const STARTS_WINDOW_MS = 30_000

/** One run of the process, from start to exit. */
interface Life {
  /** Resolves to the dimension; rejects when the process ends before it is ready. */
  readonly ready: Promise<number>
  run(texts: readonly string[]): Promise<Float32Array[]>
  end(): Promise<void>
}

/**
 * Starts the process and waits until the model is loaded. After a crash only the next `run` restarts it, because an unused model needs no
 * process. Throws `embedder_unavailable`.
 */
export async function createEncoderProcess(options: EncoderProcessOptions): Promise<EncoderProcess> {
  const { clock, logger } = options
  let starts: number[] = []
  let isClosed = false
  let life: Life | null = null

  function livingProcess(): Life {
    if (isClosed) throw unavailable('The embedder is closed')
    if (life !== null) return life
    const now = clock.monotonicMs()
    starts = starts.filter((startedMs) => now - startedMs < STARTS_WINDOW_MS)
    if (starts.length >= STARTS_MAX) throw unavailable('The embedding model failed too often and is paused')
    starts.push(now)
    const started = startLife(options, () => {
      if (life === started) life = null
      if (!isClosed) logger.warn({}, 'The embedding process ended')
    })
    life = started
    return started
  }

  const width = await livingProcess().ready
  return {
    width,
    async run(texts) {
      const living = livingProcess()
      await living.ready
      return living.run(texts)
    },
    async close() {
      isClosed = true
      await life?.end()
    }
  }
}

function startLife(options: EncoderProcessOptions, onEnd: () => void): Life {
  const { clock, files, config } = options
  const task: EncoderTask = { files, config }
  const { path, execArgv } = options.entry ?? programEntry('./encoder-main', import.meta.url)
  const child = fork(path, [JSON.stringify(task)], {
    execArgv: [...execArgv],
    // Empty, because the model needs none of the service's settings and secrets.
    env: {},
    serialization: 'advanced',
    // Ignored, because the package prints warnings that quote paths.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc']
  })
  const ready = settleable<number>()
  const calls = createPendingCalls<Float32Array[]>()
  let hasEnded = false

  const exited = settleable<undefined>()
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited.promise
  }
  const stopLoadTimer = clock.after(LOAD_DEADLINE_MS, () => void end())
  const onStop = (): void => {
    if (hasEnded) return
    hasEnded = true
    stopLoadTimer()
    exited.resolve(undefined)
    const error = unavailable('The embedding model stopped')
    ready.reject(error)
    calls.fail(error)
    onEnd()
  }
  child.on('error', () => {
    // Either the process never started, or a message to it failed and it is useless.
    if (child.pid === undefined) onStop()
    else child.kill('SIGKILL')
  })
  child.on('exit', onStop)
  child.on('message', (reply: EncoderReply) => {
    if (reply.kind === 'ready') {
      stopLoadTimer()
      ready.resolve(reply.width)
      return
    }
    if (reply.kind === 'vectors') calls.resolve(reply.id, reply.vectors)
    else calls.reject(reply.id, new TextsRefusedError('The embedding model refused the text'))
  })

  return {
    ready: ready.promise,
    async run(texts) {
      if (hasEnded) throw unavailable('The embedding model stopped')
      const stopTimer = clock.after(RUN_DEADLINE_MS, () => void end())
      return calls.call((id) => child.send({ id, texts } satisfies EncoderRequest)).finally(stopTimer)
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
  // When the process ends, there may be no caller; the rejection must not be unhandled. Callers still get it.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
