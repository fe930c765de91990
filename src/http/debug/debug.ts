/** The live debugger: mounted only with SERVICE_DEBUG_UI=1, and absent from the schema. */
import { Type } from '@sinclair/typebox'
import { TICKET_LIFETIME_S } from '../../debug/tickets.js'
import * as limits from '../../domain/limits.js'
import type { DebugOptions } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { HttpProblem } from '../contract/problem.js'
import { given } from '../contract/given.js'
import { toEventBodies } from './events.js'
import { createStreams, type StreamsOptions } from './streams.js'

/** Maximum events in one replay: twice the default size of the ring. */
const EVENTS_MAX = 4_096

const Seq = Type.Integer({ minimum: 0, maximum: limits.COUNT_MAX })

const Open = Type.Record(Type.String(), Type.Unknown())
const TicketResponse = Type.Object({ ticket: Type.String(), expires_in: Type.Integer() })
const StreamQuery = Type.Object({ since: Type.Optional(Seq) })
const RecentQuery = Type.Object({
  since: Type.Optional(Seq),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: EVENTS_MAX, default: EVENTS_MAX }))
})
const RecentResponse = Type.Object({ events: Type.Array(Open), last_seq: Type.Integer() })
const TopologyResponse = Type.Object({ nodes: Type.Array(Open), edges: Type.Array(Open), more: Type.Integer() })
const MachinesResponse = Type.Object({ machines: Type.Array(Open) })
const ActorPath = Type.Object({ kind: Type.String(), id: Type.String() })
const ChartResponse = Type.Object({ kind: Type.String(), id: Type.String(), machines: Open })

type RouteOptions = DebugOptions & Pick<StreamsOptions, 'yieldToEventLoop' | 'takePieces'>

/** Adds the routes for tickets, the stream, its replay, the graph of parts, and the machines' charts. */
export function addDebugRoutes(app: Http, options: RouteOptions): void {
  addStreamRoutes(app, options)
  addViewRoutes(app, options)
}

function addStreamRoutes(app: Http, options: RouteOptions): void {
  const { tickets, redeem } = options
  app.post(
    '/v1/debug/ticket',
    { schema: { operationId: 'debug_ticket', hide: true, response: { 200: TicketResponse } } },
    async (request) => ({ ticket: tickets.issue(request.subject), expires_in: TICKET_LIFETIME_S })
  )

  const streams = createStreams(options)
  app.addHook('preClose', async () => streams.endAll())
  app.get(
    '/v1/debug/stream',
    {
      // A HEAD request must not use up the ticket.
      exposeHeadRoute: false,
      config: { access: 'ticket' },
      schema: { operationId: 'debug_stream', hide: true, querystring: StreamQuery },
      // Before the query is validated, so that callers without a ticket learn nothing else.
      onRequest: async (request) => {
        const { ticket } = request.query as { readonly ticket?: unknown }
        const subject = typeof ticket === 'string' ? await redeem(ticket) : null
        if (subject === null) throw new HttpProblem(401, 'Invalid license: the debug ticket is missing, used or expired')
        request.subject = subject
      }
    },
    async (request, reply) => {
      const stream = streams.open(request.subject, lastEventId(request.headers['last-event-id']) ?? request.query.since)
      return reply.type('text/event-stream; charset=utf-8').header('x-accel-buffering', 'no').send(stream)
    }
  )
}

function addViewRoutes(app: Http, { recorder, charts, topology, actor, takePieces }: RouteOptions): void {
  app.get(
    '/v1/debug/recent',
    { schema: { operationId: 'debug_recent', hide: true, querystring: RecentQuery, response: { 200: RecentResponse } } },
    async (request) => {
      const { since, limit = EVENTS_MAX } = request.query
      const { events, lastSeq } = recorder.read(request.subject, { limit, ...given({ since }) })
      return { events: await takePieces(request.subject, toEventBodies(events)), last_seq: lastSeq }
    }
  )

  app.get(
    '/v1/debug/topology',
    { schema: { operationId: 'debug_topology', hide: true, response: { 200: TopologyResponse } } },
    async (request) => {
      const { nodes, edges, more } = await topology(request.subject)
      return { nodes: nodes.map((node) => ({ ...node })), edges: edges.map((edge) => ({ ...edge })), more }
    }
  )

  app.get(
    '/v1/debug/machines',
    { schema: { operationId: 'debug_machines', hide: true, response: { 200: MachinesResponse } } },
    async () => ({ machines: [...charts] })
  )

  app.get(
    '/v1/debug/actors/:kind/:id/chart',
    { schema: { operationId: 'debug_chart', hide: true, params: ActorPath, response: { 200: ChartResponse } } },
    async (request) => {
      const { kind, id } = request.params
      const live = await actor({ kind, subject: request.subject, id })
      if (live === undefined) throw new HttpProblem(404, 'Actor not found: it is not active here')
      return { kind, id, machines: { ...live.machines } }
    }
  )
}

/** Header that a browser sends when it reconnects; any other value is ignored. */
function lastEventId(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}
