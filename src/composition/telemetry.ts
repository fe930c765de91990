/** Spans for OpenTelemetry. Nothing of it is loaded unless a collector is configured. */
import type { Config } from '../config.js'
import { orTimeout } from '../time-limit.js'
import type { Clock, ModelService } from '../ports.js'
import { during, type Spans } from '../spans.js'
import { openedBy } from './start-refusal.js'

interface Telemetry {
  /** Absent when no collector is configured; requests then carry no trace. */
  readonly spans?: Spans
  /** Sends the spans that are left. Never rejects; idempotent. */
  close(): Promise<void>
}

/** Milliseconds that the end of the process waits for the collector. */
const CLOSE_MS_MAX = 3_000

/** Throws StartError when the packages that it needs are not installed. */
export async function openTelemetry({ telemetry }: Config, { nodeId, clock }: { nodeId: string; clock: Clock }): Promise<Telemetry> {
  if (telemetry === undefined) return { close: async () => undefined }
  const spans = await openedBy('OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
    const { createOtlpSpans } = await import('../telemetry/otlp.js')
    return createOtlpSpans({ ...telemetry, nodeId })
  })
  return { spans, close: () => orTimeout(spans.close(), { clock, limitMs: CLOSE_MS_MAX }) }
}

/** Wraps a model service so that each call is a span until its answer begins, and passes the trace on to it. */
export function withSpans(modelService: ModelService, spans: Spans | undefined): ModelService {
  if (spans === undefined) return modelService
  return {
    ...modelService,
    send: (request, signal) => {
      const { method, path, trace } = request
      const attributes = { 'http.request.method': method, 'url.template': path }
      return during({ spans, name: `${method} ${path}`, kind: 'client', parent: trace, attributes }, async (span) => {
        const answer = await modelService.send({ ...request, ...(span.trace !== undefined && { trace: span.trace }) }, signal)
        span.set({ 'http.response.status_code': answer.status })
        return answer
      })
    }
  }
}
