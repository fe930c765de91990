/** Extension beyond the interface: the sessions that a subject owns. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { AnsweredSessionId, choice, nullable, PageLimit, SessionId, TotalMemories } from '../contract/schemas.js'

const ListQuery = Type.Object({
  limit: PageLimit,
  after: Type.Optional(SessionId),
  contains: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: limits.SESSION_ID_LENGTH_MAX,
      description: 'Part of the id, ignoring case. A page may then hold fewer than `limit` sessions, and still have a next one.'
    })
  )
})

const Session = Type.Object(
  {
    session_id: AnsweredSessionId,
    state: choice(['active', 'stored'], { description: '`active`: in memory. `stored`: only in storage.' }),
    model_name: Type.String({ description: 'Embedding model that makes its vectors.' }),
    total_memories: TotalMemories,
    last_active_at: Type.Number({ description: 'Time of the last use, in epoch seconds.' })
  },
  { title: 'SessionSummary' }
)

const ListResponse = Type.Object({
  sessions: Type.Array(Session, { description: 'The sessions of the page, by id.' }),
  next: nullable(Type.String(), 'Value of `after` for the next page; null on the last one.')
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
        summary: "List the caller's sessions by id, without counting as use of them",
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
