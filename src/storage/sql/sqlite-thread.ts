/** The record store of an SQLite file, in its own thread: a flush takes milliseconds and would block this one. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createPendingCalls } from '../../domain/collections/pending-calls.js'
import type { Logger } from '../../ports.js'
import { DatabaseError } from './database-error.js'
import type { RecordStore, WriteOperation } from './operations.js'
import { createPlan, type Plan } from './plan.js'
import { type WriteMessage, writeMessages } from './write-messages.js'

export interface StoreTask {
  readonly path: string
  readonly fileBytesMax: number | undefined
  readonly plan: Plan
}

export interface StoreCall {
  readonly id: number
  readonly name: keyof RecordStore
  readonly query: unknown
}

export type StoreReply =
  | { readonly id: number; readonly isOk: true; readonly value: unknown }
  | { readonly id: number; readonly isOk: false; readonly code: string; readonly isRefusal: boolean }
  | { readonly id: number; readonly isOk: false; readonly message: string }

interface SqliteThreadOptions {
  readonly path: string
  readonly fileBytesMax: number | undefined
  readonly logger: Logger
}

/** One run of the thread. */
interface Life {
  call(name: keyof RecordStore, query: unknown): Promise<unknown>
  readonly exited: Promise<void>
}

/** Starts the thread with the first call, and restarts it with the first call after it ended. */
export function createSqliteThread({ path, fileBytesMax, logger }: SqliteThreadOptions): RecordStore {
  const task: StoreTask = { path, fileBytesMax, plan: createPlan('sqlite') }
  let life: Life | null = null
  let closing: Promise<void> | undefined

  function call<Name extends keyof RecordStore>(name: Name, query?: Parameters<RecordStore[Name]>[0]): ReturnType<RecordStore[Name]> {
    if (closing !== undefined) return refused('CLOSED') as ReturnType<RecordStore[Name]>
    life ??= startLife(task, (code) => {
      life = null
      if (closing === undefined) logger.error({ code }, 'The thread of the SQLite storage ended')
    })
    return life.call(name, query) as ReturnType<RecordStore[Name]>
  }
  async function close(): Promise<void> {
    const ending = life
    if (ending === null) return
    // If the thread ended by itself, the database is closed as well.
    await ending.call('close', undefined).catch(() => undefined)
    await ending.exited
  }

  return {
    migrate: () => call('migrate'),
    write: (batch) => call('write', batch),
    rows: (query) => call('rows', query),
    find: (address) => call('find', address),
    tombstone: (address) => call('tombstone', address),
    clearTombstones: (query) => call('clearTombstones', query),
    clearRemoved: (removed) => call('clearRemoved', removed),
    look: (address) => call('look', address),
    nextOwner: (query) => call('nextOwner', query),
    peek: (address) => call('peek', address),
    heads: (query) => call('heads', query),
    list: (query) => call('list', query),
    reminders: (query) => call('reminders', query),
    nextAudited: (after) => call('nextAudited', after),
    auditHead: (subject) => call('auditHead', subject),
    auditRows: (query) => call('auditRows', query),
    check: () => call('check'),
    checkWriting: () => call('checkWriting'),
    purge: () => call('purge'),
    emptyLog: () => call('emptyLog'),
    close: () => (closing ??= close())
  }
}

function startLife(task: StoreTask, onEnd: (code: string) => void): Life {
  const calls = createPendingCalls<unknown>()
  let hasEnded = false
  const worker = new Worker(...threadProgram('./sqlite-main', task))
  let exit = (): void => undefined
  const exited = new Promise<void>((resolve) => {
    exit = resolve
  })
  let failure = 'THREAD_ENDED'
  worker.on('error', (error: Error & { code?: string }) => {
    failure = error.code ?? failure
  })
  worker.on('exit', () => {
    hasEnded = true
    calls.fail(new DatabaseError(failure, { isRefusal: false }))
    onEnd(failure)
    exit()
  })
  worker.on('message', (reply: StoreReply) => {
    if (reply.isOk) calls.resolve(reply.id, reply.value)
    else calls.reject(reply.id, 'code' in reply ? new DatabaseError(reply.code, reply) : new Error(reply.message))
  })
  return {
    call(name, query) {
      if (hasEnded) return refused(failure)
      return calls.call((id) => {
        if (name === 'write')
          sendWrite(worker, id, query as readonly WriteOperation[]).catch((error: unknown) => calls.reject(id, error as Error))
        else worker.postMessage({ id, name, query } satisfies StoreCall)
      })
    },
    exited
  }
}

/** Sends a write. If it takes several messages, iterations of the event loop come in between. */
async function sendWrite(worker: Worker, id: number, batch: readonly WriteOperation[]): Promise<void> {
  let isFirst = true
  for (const message of writeMessages(id, batch)) {
    if (!isFirst) await yieldToEventLoop()
    isFirst = false
    worker.postMessage(message, buffersOf(message))
  }
}

/**
 * Returns the buffers that hold nothing but rows of the message. They are transferred to the thread and are empty here afterwards. A copy
 * of a thousand rows with vectors of 16,384 numbers held the event loop for 300 ms. Small rows share a buffer with others and are copied.
 */
function buffersOf(message: WriteMessage): ArrayBuffer[] {
  const lists = 'part' in message ? [message.part] : message.query.flatMap((operation) => ('changes' in operation ? operation.changes : []))
  const buffers = new Set<ArrayBuffer>()
  for (const { put } of lists)
    for (const { body } of put)
      if (body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength) buffers.add(body.buffer)
  return [...buffers]
}

function refused(code: string): Promise<never> {
  return Promise.reject(new DatabaseError(code, { isRefusal: false }))
}

/** Locates the module next to this one, compiled or not. */
function threadProgram(name: string, workerData: StoreTask): ConstructorParameters<typeof Worker> {
  // The thread gets no settings or secrets of the service; a database file needs none.
  const options = { workerData, env: {}, execArgv: [] }
  if (!import.meta.url.endsWith('.ts')) return [new URL(`${name}.js`, import.meta.url), options]
  // When run from TypeScript the thread has to register the loader itself: `--import` applies only to the main thread.
  const program = JSON.stringify(new URL(`${name}.ts`, import.meta.url).href)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return [`import(${loader}).then(({ register }) => { register(); return import(${program}) })`, { ...options, eval: true }]
}
