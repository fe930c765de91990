/**
 * A child process that runs one model: started, watched, restarted, ended here. Not a thread: onnxruntime-node 1.14 keeps static
 * state across the environments of a process and corrupts the heap once one of them has ended (seen in 4 of 4 runs of
 * `test/embedders/transformers.test.ts` with threads), and native code that crashes must not take the service with it.
 */
import { fork } from 'node:child_process'
import { DomainError } from '../domain/errors.js'
import { createPendingCalls } from '../domain/pending-calls.js'
import type { Clock, Logger } from '../ports.js'
import { TextsRefusedError } from './batch-queue.js'
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

export interface EncoderProcess {
  /** Numbers in one vector. */
  readonly width: number
  /** Throws `embedder_unavailable` when the process dies, hangs, or has died too often. */
  run(texts: readonly string[]): Promise<Float32Array[]>
  /** Ends the process; what is under way fails. Closing twice is fine. */
  close(): Promise<void>
}

export interface EncoderProcessOptions extends EncoderTask {
  readonly clock: Clock
  readonly logger: Logger
  /** What the process runs. Default: `encoder-main`. */
  readonly entry?: ProgramEntry
}

/** Reading and preparing the weights: the largest that are downloaded (512 MB) from a disk of 10 MB/s. */
const LOAD_DEADLINE_MS = 60_000

/** One batch: twice what callers wait (`TransformersLimits.deadlineMs`), so that what ends here hangs rather than is slow. */
const RUN_DEADLINE_MS = 60_000

/** Restart intensity, as for an actor: 5 in 30 s, then refused until the window has moved on. */
const STARTS_MAX = 5
const STARTS_WINDOW_MS = 30_000

/** One life of the process. */
interface Life {
  /** Resolves to the width. Rejects when the process ends before it is ready. */
  readonly ready: Promise<number>
  run(texts: readonly string[]): Promise<Float32Array[]>
  end(): Promise<void>
}

/**
 * Starts the process and waits until the model is loaded. A process that died is started again by the next `run`, not by itself:
 * a model that nobody asks for needs none. Throws `embedder_unavailable`.
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
    // Nothing of the service's settings and secrets: a model needs none of them.
    env: {},
    serialization: 'advanced',
    // Dropped: the package prints warnings that quote paths.
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
    // Never started; or could not be told something, and then it is of no more use.
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
  // Nobody may be waiting when a process ends; those who are get the rejection all the same.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}

function unavailable(message: string): DomainError {
  return new DomainError('embedder_unavailable', message)
}
