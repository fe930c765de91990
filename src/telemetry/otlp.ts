/** Sends spans to an OpenTelemetry collector (OTLP). Loaded only when one is configured: see `docs/operations/telemetry.md`. */
import { type Context, type Link, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Span, SpanOptions, Spans } from '../spans.js'

interface OtlpOptions {
  /** Full URL for traces. */
  readonly url: string
  readonly protocol: 'http/protobuf' | 'http/json'
  /** Distinguishes this process from others of the service. */
  readonly nodeId: string
}

interface OtlpSpans extends Spans {
  /** Sends the remaining spans, within the exporter's own deadlines. Never rejects; idempotent. */
  close(): Promise<void>
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const

/** `traceparent` of version 00: trace, span, flags. */
const TRACE_PARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/**
 * OpenTelemetry's own library reads its other variables, such as sampler and batch sizes. An unreachable collector causes no failure: spans
 * that cannot be sent are dropped.
 */
export async function createOtlpSpans({ url, protocol, nodeId }: OtlpOptions): Promise<OtlpSpans> {
  const own = resourceFromAttributes({ 'service.name': 'engram', 'service.instance.id': nodeId })
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await openExporter(protocol, url))]
  })
  const tracer = provider.getTracer('engram')
  let closing: Promise<void> | undefined
  return {
    begin(name, { kind, parent, attributes = {}, links = [] }: SpanOptions): Span {
      const options = { attributes, links: links.flatMap(toLink), ...(kind !== undefined && { kind: KINDS[kind] }) }
      const span = tracer.startSpan(name, options, toContext(parent))
      const context = span.spanContext()
      return {
        trace: toTraceParent(context),
        traceId: context.traceId,
        spanId: context.spanId,
        set(more) {
          if (span.isRecording()) span.setAttributes(more)
        },
        end(failure) {
          if (!span.isRecording()) return
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
          span.end()
        }
      }
    },
    close: () => (closing ??= provider.shutdown().catch(() => undefined))
  }
}

async function openExporter(protocol: OtlpOptions['protocol'], url: string): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter({ url })
}

function toContext(parent: string | undefined): Context {
  const context = toSpanContext(parent)
  return context === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context)
}

function toLink(parent: string): Link[] {
  const context = toSpanContext(parent)
  return context === null ? [] : [{ context }]
}

/** Returns null for an invalid parent; ids of zeros alone are invalid. */
function toSpanContext(parent: string | undefined): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACE_PARENT.exec(parent ?? '') ?? []
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}

function toTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}
