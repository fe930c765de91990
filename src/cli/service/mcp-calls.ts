/** Two ways for a program of its own to call the service: over the network, or embedded in its own process. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { isEngramError } from '../../client/engram-error.js'
import { createRequests, type EngramOptions, type Fetch } from '../../client/requests.js'
import { SYSTEM_TIMERS } from '../../client/timers.js'
import { type Environment, readConfig } from '../../config.js'
import type { CallService } from '../../mcp/calls/service.js'
import { createService, type Service } from '../../service.js'
import { DATA_FOLDER_MODE, inFolder, makeDataFolder } from './data-folder.js'

interface Calls {
  readonly call: CallService
  /** Whether the service runs with its compliance pack. */
  readonly erasesUsers: boolean
  /** Idempotent. */
  close(): Promise<void>
}

interface RemoteService {
  /** Base URL, such as `http://127.0.0.1:8000`. */
  readonly url: string
  /** Absent: for a service that accepts anonymous calls. */
  readonly token?: string
}

/** Milliseconds for a call: above the service's slowest answer, below the minute after which clients give up. */
const CALL_MS_MAX = 50_000

const OK = 200

/** Deletion path with an arbitrary id, probed with GET. The answer 405 means that the compliance pack is there. */
const ERASURE_PATH = '/v1/compliance/users/-/memory'
const NOT_ALLOWED = 405

/** Connects to a service that runs elsewhere. It need not be reachable yet: it is only asked whether it has the compliance pack. */
export async function connectRemote(service: RemoteService): Promise<Calls> {
  // The token is meant only for this service.
  const call = createCall({ ...service, fetch: (request) => fetch(request, { redirect: 'error' }) })
  const { status } = await call({ method: 'GET', path: ERASURE_PATH }, new AbortController().signal)
  return { call, erasesUsers: status === NOT_ALLOWED, close: async () => undefined }
}

/**
 * Starts a service in this process, with its sessions in an SQLite database in `folder`. Several processes may share a folder. The service
 * does not listen, so nobody else can reach it. Other settings come from the environment. Throws as the start of a service does.
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
  return { call: createCall({ url: EMBEDDED_URL, fetch: fetchFrom(service) }), erasesUsers: true, close: () => service.close() }
}

/** Creates the folder if it is missing. Throws ConfigError. */
function openFolder(folder: string): void {
  makeDataFolder(folder)
  inFolder(folder, () => chmodSync(folder, DATA_FOLDER_MODE))
}

/** All calls of tools are repeatable: a turn carries a key, and the others are idempotent. */
function createCall(options: EngramOptions): CallService {
  const { passOn } = createRequests({ ...options, deadlineMs: CALL_MS_MAX }, SYSTEM_TIMERS)
  return async (request, signal) => {
    try {
      return { status: OK, body: await passOn(request, { signal }) }
    } catch (error) {
      signal.throwIfAborted()
      if (!isEngramError(error)) throw error
      const { status, detail, problems } = error
      if (status === null) return { status: 0, body: { detail: 'The memory service was not reached' } }
      return { status, body: { detail: problems.length > 0 ? problems : detail } }
    }
  }
}

/** Placeholder: the embedded service listens nowhere. */
const EMBEDDED_URL = 'http://localhost'

function fetchFrom({ http }: Service): Fetch {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const payload = await request.text()
    const { statusCode, rawPayload } = await http.inject({
      method: request.method as 'GET' | 'POST' | 'DELETE',
      url: pathname + search,
      signal: request.signal,
      ...(payload !== '' && { payload, headers: { 'content-type': 'application/json' } })
    })
    // Without Retry-After: another process that uses the folder is done within milliseconds.
    return new Response(new Uint8Array(rawPayload), { status: statusCode })
  }
}
