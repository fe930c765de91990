/** The measured service in its own process, built as it ships, as seen by its parent. */
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
  /** URL that answers `/v1/run` with a constant. */
  readonly constantUrl: string
  /** Processor milliseconds of all its threads so far. */
  usedMs(): Promise<number>
  /** Stretches of its event loop during `work`. Sampling costs time, so nothing else is measured meanwhile. */
  stretchesMs(work: () => Promise<unknown>): Promise<readonly number[]>
  /** Bytes of heap and buffers, after a garbage collection. */
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
