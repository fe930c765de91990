/** A collector of the test's own: what is sent to it by the OpenTelemetry protocol, decoded. */
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
  /** Of the process that it is from. */
  readonly resource: Readonly<Record<string, string>>
}

export interface Collector {
  /** Its base. */
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  /** Bodies as they came. */
  readonly texts: readonly string[]
  readonly spans: () => CollectedSpan[]
}

/** What the project of OpenTelemetry generates from its definition of the protocol, as far as it is used here. */
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

/** Ends with its test. */
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

/** In the form of JSON, where ids are in hex. */
function fromProtobuf(body: Buffer): Sent {
  const message = ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(body), { longs: String, bytes: String, arrays: true })
  const inHex = (name: string, value: unknown) => (name.endsWith('Id') ? Buffer.from(String(value), 'base64').toString('hex') : value)
  return JSON.parse(JSON.stringify(message, inHex)) as Sent
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue)]))
}
