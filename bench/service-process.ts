/** A process of the service under measurement, built as it ships, as its parent sees it. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { servedProgram } from './built-program.js'

export type ServedQuestion = 'usage' | 'watch' | 'stretches' | 'memory' | 'close'

export interface ServedAnswer {
  readonly url?: string
  readonly constantUrl?: string
  readonly usedMs?: number
  readonly stretchesMs?: readonly number[]
  readonly bytes?: number
}

export interface ServiceProcess {
  readonly url: string
  /** Answers `/v1/run` with a constant. */
  readonly constantUrl: string
  /** Processor time so far, of all its threads, in milliseconds. */
  usedMs(): Promise<number>
  /** How long its event loop is kept while `work` goes on, each time. What is watched costs more: it is not what is measured besides. */
  stretchesMs(work: () => Promise<unknown>): Promise<readonly number[]>
  /** Heap and buffers, after a collection. */
  bytes(): Promise<number>
  close(): Promise<void>
}

const SETTINGS = {
  SERVICE_ALLOW_ANONYMOUS: '1',
  SERVICE_EMBEDDER: 'lexical',
  SERVICE_RATE_LIMIT_PER_MINUTE: '0',
  SERVICE_LOG_LEVEL: 'error',
  SERVICE_PORT: '0',
  SERVICE_SUBJECT_CONCURRENCY: '64',
  SERVICE_MAX_MEMORIES: '200000',
  SERVICE_MAX_SESSION_BYTES: String(4 * 2 ** 30),
  SERVICE_MEMORY_LIMIT_MB: '6144'
}

/** Resolves once it listens. */
export async function startServed(env: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
  const child = fork(await servedProgram(), {
    execArgv: ['--expose-gc', '--max-old-space-size=4096'],
    env: { PATH: process.env['PATH'] ?? '', ...SETTINGS, ...env },
    serialization: 'advanced'
  })
  const next = async (): Promise<ServedAnswer> => {
    const ended = new AbortController()
    const exited = once(child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the service ended')
    })
    const [answered] = (await Promise.race([once(child, 'message', { signal: ended.signal }), exited])) as [ServedAnswer]
    exited.catch(() => undefined)
    ended.abort()
    return answered
  }
  const ask = (question: ServedQuestion): Promise<ServedAnswer> => {
    const answered = next()
    child.send(question)
    return answered
  }
  const { url = '', constantUrl = '' } = await next()
  return {
    url,
    constantUrl,
    usedMs: async () => (await ask('usage')).usedMs ?? NaN,
    async stretchesMs(work) {
      await ask('watch')
      await work()
      return (await ask('stretches')).stretchesMs ?? []
    },
    bytes: async () => (await ask('memory')).bytes ?? NaN,
    async close() {
      const exited = once(child, 'exit')
      await ask('close')
      await exited
    }
  }
}
