/** The whole service in this process, and callers with licences of their own. */
import process from 'node:process'
import type { InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { generateKeyPair, signLicense } from '../../src/auth/license-signing.js'
import type { ServiceOverrides } from '../../src/composition/parts.js'
import { readConfig } from '../../src/config.js'
import { createSystemClock } from '../../src/platform/clock.js'
import { createService, type Service } from '../../src/service.js'
import { startJoined } from './joined-services.js'

/** Parsed body of an answer; fields vary by route. */
export type AnswerBody = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly body: AnswerBody
}

/** A caller with a licence of one subject. A body that is a text is sent unchanged. */
export interface Caller {
  readonly token: string
  call(options: InjectOptions): Promise<Answer>
  post(url: string, body?: unknown): Promise<Answer>
  put(url: string, body: unknown): Promise<Answer>
  patch(url: string, body: unknown): Promise<Answer>
  get(url: string): Promise<Answer>
  delete(url: string): Promise<Answer>
}

interface RealService {
  /** The first node. */
  readonly service: Service
  /** All nodes, for what is specific to one. */
  readonly nodes: readonly Service[]
  readonly logs: readonly string[]
  as(subject: string): Promise<Caller>
  /** Closes all nodes. */
  close(): Promise<void>
}

/** Starts the service without listening, and closes it when the test ends. Durable storages are passed in `overrides`. */
export async function startService(
  t: Test,
  options: { env?: Record<string, string>; overrides?: ServiceOverrides; nodes?: number } = {}
): Promise<RealService> {
  const { publicKey, privateKey } = generateKeyPair()
  const logs: string[] = []
  const env = { SERVICE_LICENSE_PUBLIC_KEY: publicKey, SERVICE_EMBEDDER: 'lexical', SERVICE_RATE_LIMIT_PER_MINUTE: '0', ...options.env }
  const overrides = { logDestination: { write: (line: string) => void logs.push(line) }, ...options.overrides }
  // With TEST_NODES the same tests run against several nodes, with each request going to the next one. A difference is a defect, or the
  // test says so. A test's own parts belong to a single node, and so do records in a file.
  const canBeSeveral = options.overrides === undefined && options.env?.['DATABASE_URL']?.startsWith('sqlite:') !== true
  const count = options.nodes ?? (canBeSeveral ? Number(process.env['TEST_NODES'] ?? 1) : 1)
  const services = count > 1 ? await startJoined(t, { count, env, overrides }) : [await createService(readConfig(env), overrides)]
  const [service] = services
  if (service === undefined) throw new Error('There is no node')
  if (count === 1) {
    await service.start()
    t.teardown(() => service.close())
  }
  let requests = 0

  return {
    service,
    nodes: services,
    logs,
    async close() {
      await Promise.all(services.map((node) => node.close()))
    },
    async as(subject) {
      const token = await signLicense({ privateKey, subject, clock: options.overrides?.clock ?? createSystemClock() })
      const call = async (request: InjectOptions): Promise<Answer> => {
        const headers = { authorization: `Bearer ${token}`, ...request.headers }
        const node = services[requests++ % services.length] ?? service
        const response = await node.http.inject({ ...request, headers })
        return { status: response.statusCode, body: JSON.parse(response.body) as AnswerBody }
      }
      const send = (method: 'POST' | 'PUT' | 'PATCH') => (url: string, body?: unknown) => {
        if (body === undefined) return call({ method, url })
        const payload = typeof body === 'string' ? body : JSON.stringify(body)
        return call({ method, url, payload, headers: { 'content-type': 'application/json' } })
      }
      return {
        token,
        call,
        post: send('POST'),
        put: send('PUT'),
        patch: send('PATCH'),
        get: (url) => call({ method: 'GET', url }),
        delete: (url) => call({ method: 'DELETE', url })
      }
    }
  }
}

/** Returns the findings of a 422 as `loc: type`, and any other status as it is. */
export function finding({ status, body }: Answer): string {
  if (status !== 422) return String(status)
  const errors = body['detail'] as readonly { readonly loc: readonly (string | number)[]; readonly type: string }[]
  return errors.map(({ loc, type }) => `${loc.join('.')}: ${type}`).join(', ')
}
