/** An OpenTelemetry collector that decodes what it receives. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import root from 'otlp-decoder/build/src/generated/root.js'
import type { Test } from 'tap'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string }
}

interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status?: { readonly code?: number }
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

export interface CollectedSpan extends Omit<SentSpan, 'attributes'> {
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes of the sending process. */
  readonly resource: Readonly<Record<string, string>>
}

export interface Collector {
  /** Base URL. */
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** Raw bodies. */
  readonly texts: readonly string[]
  readonly spans: () => CollectedSpan[]
}

/** The part of OpenTelemetry's generated protocol code that is used here. */
interface Generated {
  readonly opentelemetry: {
    readonly proto: { readonly collector: { readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: Decoder } } } }
  }
}

interface Decoder {
  decode(bytes: Uint8Array): object
  toObject(message: object, options: { readonly longs: typeof String; readonly bytes: typeof String; readonly arrays: true }): object
}

const { ExportTraceServiceRequest } = (root as unknown as Generated).opentelemetry.proto.collector.trace.v1

/** Starts the collector; stopped when the test ends. */
export async function startCollector(t: Test, protocol: 'http/json' | 'http/protobuf' = 'http/json'): Promise<Collector> {
  const texts: string[] = []
  const sent: Sent[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces'
      if (isTraces) {
        const body = Buffer.concat(chunks)
        texts.push(body.toString())
        sent.push(request.headers['content-type'] === 'application/x-protobuf' ? fromProtobuf(body) : (JSON.parse(body.toString()) as Sent))
      }
      response.writeHead(isTraces ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_EXPORTER_OTLP_PROTOCOL: protocol },
    texts,
    spans: () =>
      sent.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes), resource: valuesOf(resource.attributes) }))
          )
        )
      )
  }
}

/** Converts to the JSON form, in which ids are in hex. */
function fromProtobuf(body: Buffer): Sent {
  const message = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(body), { longs: String, bytes: String, arrays: true })
  const inHex = (name: string, value: unknown) => (name.endsWith('Id') ? Buffer.from(String(value), 'base64').toString('hex') : value)
  return JSON.parse(JSON.stringify(message, inHex)) as Sent
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]))
}
