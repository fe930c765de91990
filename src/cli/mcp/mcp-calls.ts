/** The two ways in which a program of its own reaches the service: over the network, or in its own process. */
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { ConfigError, type Environment, readConfig } from '../../config.js'
import type { CallService, ServiceAnswer } from '../../mcp/calls/service.js'
import { createService, type Service } from '../../service.js'

export interface Calls {
  readonly call: CallService
  /** Whether the service has the compliance pack. */
  readonly erasesUsers: boolean
  /** Twice is fine. */
  close(): Promise<void>
}

export interface RemoteService {
  /** Its base, such as `http://127.0.0.1:8000`. */
  readonly url: string
  /** Absent: the service has to answer without. */
  readonly token?: string
}

/** Readable by the user alone. */
const FOLDER_MODE = 0o700

/** Above what a service takes for its slowest answer, below the minute after which clients give up. */
const CALL_MS_MAX = 50_000

/** Bytes of an answer: the largest page of memories, twice. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024

/** Any id, of a path that only deletes: the compliance pack is there where the path is, whatever it holds. */
const ERASURE_PATH = '/v1/compliance/users/-/memory'
const NOT_ALLOWED = 405

/** Calls a service that runs elsewhere. One that cannot be reached yet may be later: it is only looked at for what it has. */
export async function connectRemote(service: RemoteService): Promise<Calls> {
  const call = patient(createRemoteCall(service))
  const { status } = await call({ method: 'GET', path: ERASURE_PATH }, new AbortController().signal)
  return { call, erasesUsers: status === NOT_ALLOWED, close: async () => undefined }
}

/**
 * A service in this process, which keeps its sessions in a SQLite database in `folder`. Several processes may use one folder. It listens
 * nowhere, so that nobody else reaches it. Other settings are those of the environment. Throws as the start of a service does.
 */
export async function startEmbedded(folder: string, environment: Environment): Promise<Calls> {
  openFolder(folder)
  const config = readConfig({
    SERVICE_LOG_LEVEL: 'warn',
    SERVICE_MODEL_DIR: join(folder, 'models'),
    ...environment,
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_SESSION_BACKEND: 'memory',
    SERVICE_STATE_PERSIST: '1',
    DATABASE_URL: `sqlite:${join(folder, 'memory.db')}`,
    SERVICE_COMPLIANCE: '1',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_WORKERS: '1',
    SERVICE_DEBUG_UI: '0',
    NATS_URL: ''
  })
  const service = await createService(config, {
    sharesStorage: true,
    logDestination: { write: (line) => void process.stderr.write(line) }
  })
  await service.start()
  return { call: patient(createEmbeddedCall(service)), erasesUsers: true, close: () => service.close() }
}

/** Made where it is missing. Throws ConfigError. */
function openFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    chmodSync(folder, FOLDER_MODE)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new ConfigError([`The folder of the memory cannot be made or used: ${code}`])
  }
}

function createEmbeddedCall({ http }: Service): CallService {
  return async ({ method, path, body }, signal) => {
    signal.throwIfAborted()
    const { statusCode, payload } = await http.inject({ method, url: path, signal, ...(body !== undefined && { payload: body }) })
    return { status: statusCode, body: parsed(payload) }
  }
}

function createRemoteCall({ url, token }: RemoteService): CallService {
  const base = url.replace(/(?<!\/)\/+$/, '')
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return async ({ method, path, body }, signal) => {
    const headers = { ...authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
    try {
      const response = await fetch(base + path, {
        ...{ method, headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The token is for this service alone.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS_MAX)])
      })
      return { status: response.status, body: parsed(await readText(response)) }
    } catch {
      signal.throwIfAborted()
      return NOT_REACHED
    }
  }
}

/** Milliseconds before each further try of a call that the service has no time for, or that another process on the folder has overtaken. */
const PAUSES_MS = [50, 150, 400, 1_000]

const BUSY = 503

/** Tries again while the service is busy. Every call of a tool may be sent twice: a turn has a key, and all others say what is to be so. */
function patient(call: CallService): CallService {
  return async (request, signal) => {
    let answer = await call(request, signal)
    for (const pauseMs of PAUSES_MS) {
      if (answer.status !== BUSY) break
      // Two processes that met are not to meet again.
      await setTimeout(pauseMs * (0.5 + Math.random()), undefined, { signal })
      answer = await call(request, signal)
    }
    return answer
  }
}

const NOT_REACHED: ServiceAnswer = { status: 0, body: { detail: 'The memory service was not reached' } }

/** Throws where the answer is longer than any of the service's. */
async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += (chunk as Uint8Array).length
    if (bytes > ANSWER_BYTES_MAX) throw new Error('The answer is too long')
    chunks.push(chunk as Uint8Array)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Null for what is no JSON, such as the page of a proxy before the service. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
