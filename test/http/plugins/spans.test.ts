/** The span of a request: it shows the route and the outcome, but no path. */
import Fastify from 'fastify'
import t from 'tap'
import type { Http } from '../../../src/http/contract/typed-http.js'
import { registerErrorHandler } from '../../../src/http/contract/errors.js'
import { HttpProblem } from '../../../src/http/contract/problem.js'
import { registerSpans } from '../../../src/http/plugins/spans.js'
import type { SpanAttributes, SpanOptions, Spans } from '../../../src/spans.js'

/** Starts a server whose answers have the status named in their path, with its spans. */
function start() {
  const told: { name: string; options: SpanOptions; set: SpanAttributes[]; ends: (string | undefined)[] }[] = []
  const spans: Spans = {
    begin(name, options) {
      const span = { name, options, set: [] as SpanAttributes[], ends: [] as (string | undefined)[] }
      told.push(span)
      return {
        ...{ trace: `of ${String(options.parent)}`, traceId: 't', spanId: 's' },
        set(attributes) {
          if (span.ends.length === 0) span.set.push(attributes)
        },
        end(failure) {
          if (span.ends.length === 0) span.ends.push(failure)
        }
      }
    }
  }
  const lines: string[] = []
  const app = Fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } }, genReqId: () => 'r' }) as unknown as Http
  registerErrorHandler(app)
  registerSpans(app, spans)
  app.get('/secret/:status', async (request) => {
    request.log.info('within')
    const status = Number((request.params as { readonly status: string }).status)
    if (status !== 200) throw new HttpProblem(status, 'no')
    return { trace: request.trace }
  })
  return { app, told, lines }
}

t.test('a request is one span, named for its route, in the trace that its caller says', async (t) => {
  const { app, told, lines } = start()
  const answer = await app.inject({ url: '/secret/200?token=a', headers: { traceparent: 'theirs' } })
  t.strictSame(answer.json(), { trace: 'of theirs' })
  t.strictSame(told, [
    {
      name: 'GET /secret/{status}',
      options: {
        kind: 'server',
        parent: 'theirs',
        attributes: {
          'http.request.method': 'GET',
          'url.scheme': 'http',
          'engram.request.id': 'r',
          'http.route': '/secret/{status}'
        }
      },
      set: [{ 'http.response.status_code': 200 }],
      ends: [undefined]
    }
  ])
  const within = lines.map((line) => JSON.parse(line) as Record<string, unknown>).find(({ msg }) => msg === 'within')
  t.match(within, { trace_id: 't', span_id: 's' })
})

t.test('a refusal has its status for an error, and only what the service is to blame for is a failure', async (t) => {
  const { app, told } = start()
  for (const status of [399, 400, 404, 499, 500, 503]) await app.inject({ url: `/secret/${String(status)}` })
  t.strictSame(
    told.map(({ set: [attributes], ends }) => [attributes?.['http.response.status_code'], attributes?.['error.type'], ...ends]),
    [
      [399, undefined, undefined],
      [400, '400', undefined],
      [404, '404', undefined],
      [499, '499', undefined],
      [500, '500', '500'],
      [503, '503', '503']
    ]
  )
})

t.test('a path that is not there is in no span, and a trace that is given twice is none', async (t) => {
  const { app, told } = start()
  await app.inject({ url: '/another/secret', headers: { traceparent: ['one', 'two'] as never } })
  t.match(told, [{ name: 'GET', set: [{ 'http.response.status_code': 404 }] }])
  t.notMatch(JSON.stringify(told), 'secret')
  t.notOk(told[0] !== undefined && 'http.route' in (told[0].options.attributes ?? {}))
})
