/** Spans where a collector is configured; else nothing of them is loaded. */
import type { Config } from '../config.js'
import { within } from '../platform/within.js'
import type { Clock, ModelService } from '../ports.js'
import { during, type Spans } from '../spans.js'
import { openedBy } from './start-refusal.js'

export interface Telemetry {
  /** Absent: nobody collects, and nothing on the way of a request knows of it. */
  readonly spans?: Spans
  /** Sends what is left. Never rejects; twice is fine. */
  close(): Promise<void>
}

/** Milliseconds that the end of the process waits for a collector. */
const CLOSE_MS_MAX = 3_000

/** Throws StartError where the packages that it takes are not installed. */
export async function openTelemetry({ telemetry }: Config, { nodeId, clock }: { nodeId: string; clock: Clock }): Promise<Telemetry> {
  if (telemetry === undefined) return { close: async () => undefined }
  const spans = await openedBy('OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
    const { createOtlpSpans } = await import('../telemetry/otlp.js')
    return createOtlpSpans({ ...telemetry, nodeId })
  })
  return { spans, close: () => within(spans.close(), { clock, limitMs: CLOSE_MS_MAX }) }
}

/** A model service whose calls are spans, until the answer begins, and carry them on to it. */
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
