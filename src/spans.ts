/**
 * What takes how long on the way of a request, as spans of one trace. They name routes, commands and codes of refusals, never what somebody
 * wrote, whose it is, or a token.
 */
import { isDomainError } from './domain/errors.js'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** `server`: asked from outside; `client`: asks elsewhere. Default: neither. */
  readonly kind?: 'server' | 'client'
  readonly attributes?: SpanAttributes
  /** W3C `traceparent` of the span that this one is part of; one that is malformed counts as absent, which begins a trace. */
  readonly parent?: string | undefined
  /** Of further spans that this one is done for. */
  readonly links?: readonly string[]
}

export interface Span {
  /** W3C `traceparent` for what is done within this span, here or on another node; undefined outside of a trace. */
  readonly trace: string | undefined
  /** In hex, for logs; empty outside of a trace. */
  readonly traceId: string
  readonly spanId: string
  set(attributes: SpanAttributes): void
  /** `failure`: word for what went wrong on the side of this service. Only the first call counts. */
  end(failure?: string): void
}

/** Where there are none, nothing is collected, and work is done without any of this. */
export interface Spans {
  begin(name: string, options: SpanOptions): Span
}

const NO_SPAN: Span = { trace: undefined, traceId: '', spanId: '', set: () => undefined, end: () => undefined }

export interface SpannedWork extends SpanOptions {
  readonly spans: Spans | undefined
  readonly name: string
}

/** A span within the one of `parent`; without that one nothing is collected, so that no part of a trace stands alone. */
export function beginWithin({ spans, name, ...options }: SpannedWork): Span {
  return spans === undefined || options.parent === undefined ? NO_SPAN : spans.begin(name, options)
}

/** Does the work within a span. A refusal is noted by its code. Outside of a trace it is the work itself. */
export function during<Result>(work: SpannedWork, run: (span: Span) => Promise<Result>): Promise<Result> {
  const span = beginWithin(work)
  return span === NO_SPAN ? run(NO_SPAN) : noted(span, run)
}

async function noted<Result>(span: Span, run: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await run(span)
  } catch (error) {
    span.set({ 'error.type': codeOf(error) })
    throw error
  } finally {
    span.end()
  }
}

function codeOf(error: unknown): string {
  return isDomainError(error) ? error.code : 'internal'
}
