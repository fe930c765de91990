/** Extension beyond the interface: the sessions that a subject owns. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory, Http } from '../contract/contracts.js'
import { choice, SessionId } from '../contract/schemas.js'

const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.PAGE_MAX, default: limits.PAGE_DEFAULT })),
  after: Type.Optional(SessionId),
  contains: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: limits.SESSION_ID_LENGTH_MAX,
      description: 'A part of the id, in capitals or not. A page may then hold less than `limit`, and still have a next one.'
    })
  )
})

const Session = Type.Object(
  {
    session_id: Type.String(),
    state: choice(['active', 'stored'], { description: 'Whether it is in memory, or only in storage.' }),
    model_name: Type.String(),
    total_memories: Type.Integer(),
    last_active_at: Type.Number({ description: 'Epoch seconds.' })
  },
  { title: 'SessionSummary' }
)

const ListResponse = Type.Object({
  sessions: Type.Array(Session),
  next: Type.Union([Type.String(), Type.Null()], { description: '`after` of the next page.' })
})

const readQuery = createReader(ListQuery)
const writeList = createWriter(ListResponse)

/** Adds the route that lists sessions. */
export function addSessionListRoutes(app: Http, { directory }: { directory: Directory }): void {
  app.get(
    '/v1/sessions',
    {
      schema: {
        operationId: 'sessions',
        tags: ['extensions'],
        summary: "List the caller's sessions, by id; counts as use of none",
        querystring: ListQuery,
        response: { 200: ListResponse }
      }
    },
    async (request) => {
      const query = { limit: limits.PAGE_DEFAULT, ...readQuery(request.query) }
      return writeList(await directory.listSessions(request.subject, query))
    }
  )
}
