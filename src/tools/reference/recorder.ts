/**
 * Records calls of a real service and their answers. The service runs on the recorder's clock, and random values are replaced, so that the
 * same calls always give the same text.
 */
import { readConfig } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { createService } from '../../service.js'
import type { OpenApiDocument, Operation } from './document.js'
import { operationsOf } from './document.js'
import { createStandIns } from './stand-ins.js'
import { startUpstream } from './upstream.js'

/** Epoch seconds: 2026-05-04, 09:00 UTC. */
const BEGIN = 1_777_885_200
const SECONDS_BETWEEN = 30

/** Replacements for the examples of a call: its body, and its parameters by name. */
interface Stand {
  readonly body?: unknown
  readonly values?: Readonly<Record<string, unknown>>
  /** Not shown, because an earlier or later call of the operation shows more. */
  readonly isUnseen?: boolean
}

export interface RecordedCall {
  readonly url: string
  readonly body?: unknown
  readonly status: number
  /** Null if it is not JSON. */
  readonly answer: unknown
}

export type Send = (name: string, stand?: Stand) => Promise<Readonly<Record<string, unknown>>>

export interface Recording {
  readonly document: OpenApiDocument
  /** By operation, as in `POST /v1/run`. */
  readonly calls: ReadonlyMap<string, RecordedCall>
}

export interface Recorder {
  readonly operations: ReadonlyMap<string, Operation>
  readonly send: Send
  wasSent(name: string): boolean
}

/** Runs `tell` against a service started for it alone. Throws at the first unsuccessful answer. */
export async function record(tell: (recorder: Recorder) => Promise<void>): Promise<Recording> {
  const upstream = await startUpstream()
  const config = readConfig({
    SERVICE_ALLOW_ANONYMOUS: '1',
    SERVICE_EMBEDDER: 'lexical',
    SERVICE_RATE_LIMIT_PER_MINUTE: '0',
    SERVICE_LOG_LEVEL: 'silent',
    SERVICE_NODE_ID: 'n1',
    SERVICE_UPSTREAM_URL: upstream.url
  })
  const time = { now: BEGIN }
  const clock = { ...createSystemClock(), now: () => time.now, monotonicMs: () => 0 }
  const service = await createService(config, { clock, randomness: { next: () => 0.5 } })
  try {
    await service.start()
    const document = (await service.http.inject({ method: 'GET', url: '/openapi.json' })).json<OpenApiDocument>()
    const operations = operationsOf(document)
    const calls = new Map<string, RecordedCall>()
    const standIn = createStandIns()
    const sent = new Set<string>()
    await tell({
      operations,
      wasSent: (name) => sent.has(name),
      async send(name, stand = {}) {
        const { url, headers, body } = requestOf(operations, name, stand)
        time.now += SECONDS_BETWEEN
        const method = name.split(' ')[0] as 'GET'
        const response = await service.http.inject({ method, url, headers, ...(body !== undefined && { payload: body as object }) })
        if (response.statusCode >= 300)
          throw new Error(`${name} was answered ${String(response.statusCode)}: ${response.body.slice(0, 300)}`)
        const isJson = String(response.headers['content-type']).startsWith('application/json')
        const answer: unknown = isJson ? response.json() : null
        sent.add(name)
        if (stand.isUnseen !== true)
          calls.set(name, standIn({ url, ...(body !== undefined && { body }), status: response.statusCode, answer }))
        return answer as Readonly<Record<string, unknown>>
      }
    })
    return { document, calls }
  } finally {
    await service.close()
    await upstream.close()
  }
}

function requestOf(operations: ReadonlyMap<string, Operation>, name: string, { values = {}, body }: Stand) {
  const operation = operations.get(name)
  if (operation === undefined) throw new Error(`There is no ${name}`)
  const parameters = operation.parameters ?? []
  const of = (parameter: string) => {
    const example = parameters.find((known) => known.name === parameter)?.example
    return encodeURIComponent(String(values[parameter] ?? example)).replaceAll('%2F', '/')
  }
  const path = (name.split(' ')[1] ?? '').replaceAll(/\{(\w+)\}/g, (_, parameter: string) => of(parameter))
  const asked = parameters.filter((known) => known.in === 'query' && (known.required === true || known.name in values))
  const query = asked.map((known) => `${known.name}=${of(known.name)}`).join('&')
  const headers = Object.fromEntries(
    parameters.filter((known) => known.in === 'header').map((known): [string, string] => [known.name, of(known.name)])
  )
  const example = Object.values(operation.requestBody?.content ?? {})[0]?.example
  return { url: query === '' ? path : `${path}?${query}`, headers, body: body ?? example }
}
