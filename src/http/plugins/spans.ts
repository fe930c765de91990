/** Creates one span per request, in the caller's trace if it sends one, and adds both ids to its log lines. */
import type { FastifyReply } from 'fastify'
import type { Span, Spans } from '../../spans.js'
import { routeOf } from '../contract/route.js'
import type { Http } from '../contract/typed-http.js'
import { STATUS_LEFT } from './request-log.js'
import { toTemplate } from './route-table.js'
import { whenOver } from './when-over.js'

/** Has to be registered before the log, whose lines carry the ids. Names and attributes follow OpenTelemetry's conventions for HTTP. */
export function registerSpans(app: Http, spans: Spans | undefined): void {
  app.decorateRequest('trace', null)
  if (spans === undefined) return
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, protocol, is404 } = request
    const { url } = routeOf(request)
    // The template, because a path may contain what the caller would not want shown.
    const route = is404 || url === undefined ? undefined : toTemplate(url)
    const span = spans.begin(route === undefined ? method : `${method} ${route}`, {
      kind: 'server',
      parent: toText(headers['traceparent']),
      attributes: {
        'http.request.method': method,
        'url.scheme': protocol,
        'engram.request.id': request.id,
        ...(route !== undefined && { 'http.route': route })
      }
    })
    request.trace = span.trace ?? null
    request.log = request.log.child({ trace_id: span.traceId, span_id: span.spanId })
    reply.log = request.log
    endWith(span, reply)
    done()
  })
}

/** Ends the span when the answer was sent or the client has left, whichever comes first. */
function endWith(span: Span, { raw }: FastifyReply): void {
  whenOver(raw, () => {
    const status = raw.headersSent ? raw.statusCode : STATUS_LEFT
    span.set({ 'http.response.status_code': status, ...(status >= 400 && { 'error.type': String(status) }) })
    span.end(status >= 500 ? String(status) : undefined)
  })
}

function toText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}
