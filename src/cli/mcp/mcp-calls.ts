/** The two ways in which a program of its own reaches the service: over the network, or in its own process. */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { isEngramError } from '../../client/engram-error.js'
import { createRequests, type EngramOptions, type Fetch } from '../../client/requests.js'
import { SYSTEM_TIMERS } from '../../client/timers.js'
import { type Environment, readConfig } from '../../config.js'
import type { CallService } from '../../mcp/calls/service.js'
import { createService, type Service } from '../../service.js'
import { DATA_FOLDER_MODE, inFolder, makeDataFolder } from '../service/data-folder.js'

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

/** Above what a service takes for its slowest answer, below the minute after which clients give up. */
const CALL_MS_MAX = 50_000

const OK = 200

/** Any id, of a path that only deletes: the compliance pack is there where the path is, whatever it holds. */
const ERASURE_PATH = '/v1/compliance/users/-/memory'
const NOT_ALLOWED = 405

/** Calls a service that runs elsewhere. One that cannot be reached yet may be later: it is only looked at for what it has. */
export async function connectRemote(service: RemoteService): Promise<Calls> {
  // The token is for this service alone.
  const call = createCall({ ...service, fetch: (request) => fetch(request, { redirect: 'error' }) })
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
  return { call: createCall({ url: EMBEDDED_URL, fetch: fetchFrom(service) }), erasesUsers: true, close: () => service.close() }
}

/** Made where it is missing. Throws ConfigError. */
function openFolder(folder: string): void {
  makeDataFolder(folder)
  inFolder(folder, () => chmodSync(folder, DATA_FOLDER_MODE))
}

/** Every call of a tool may be sent twice: a turn has a key, and all others say what is to be so. */
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

/** Of no meaning to a service that listens nowhere. */
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
    // Without its Retry-After: another process on the folder is done in some milliseconds.
    return new Response(new Uint8Array(rawPayload), { status: statusCode })
  }
}
