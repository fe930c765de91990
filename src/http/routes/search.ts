/** Extension beyond the interface: a read-only search that can explain its ranking. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import {
  AnsweredSessionId,
  choice,
  Embedding,
  Memory,
  nullable,
  optional,
  Role,
  SessionPath,
  text,
  Tier,
  UserId
} from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'

const Filter = Type.Object(
  {
    role: optional(Role),
    user_id: optional(UserId),
    tier: optional(Tier),
    since: optional(Type.Number({ description: 'Earliest time, inclusive, in epoch seconds.' })),
    until: optional(Type.Number({ description: 'Latest time, exclusive, in epoch seconds.' }))
  },
  { title: 'SearchFilter', description: 'Conditions that every result meets. Default: none.' }
)

const SearchBody = Type.Object(
  {
    query: optional(text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'Text to search for, by its meaning and its words.' })),
    embedding: optional({ ...Embedding, description: 'Vector to search for, of as many numbers as the session has dimensions.' }),
    top_k: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.SEARCH_TOP_K_MAX,
        default: limits.SEARCH_TOP_K_DEFAULT,
        description: 'Maximum number of results.'
      })
    ),
    filter: optional(Filter),
    explain: optional(
      Type.Boolean({ default: false, description: 'Whether to add the components of each score, and the time of each stage.' })
    )
  },
  { 'x-exactly-one': ['query', 'embedding'] }
)

const SearchResult = Type.Composite(
  [
    Memory,
    Type.Object({
      score: Type.Number({ description: 'Relevance of the memory to the query, 0 to 1. Results are sorted by it.' }),
      components: Type.Optional(
        Type.Record(Type.String(), Type.Number(), {
          description:
            'Components of the score, present with `explain`. fused = blend · max(0, (dense - ground) / (1 - ground)) + (1 - blend) · lexical. The score is fused times every component not named here, at most 1.'
        })
      ),
      superseded_by: Type.Optional(
        nullable(Type.String(), 'Hash of a newer memory that says something else about the same matter, else null; present with `explain`.')
      )
    })
  ],
  { title: 'SearchResult' }
)

const Stage = Type.Object(
  {
    stage: choice(['retrieve', 'fuse', 'rerank', 'serialize'], {
      description: '`retrieve` finds candidates, `fuse` joins their scores, `rerank` sorts them. `serialize` is not part of a search.'
    }),
    duration_ms: Type.Number({ description: 'Milliseconds from the end of the stage before to the end of this one, waits included.' }),
    candidates: Type.Integer({ description: 'Number of memories that the stage left.' })
  },
  { title: 'StageTiming' }
)

const SearchResponse = Type.Object({
  session_id: AnsweredSessionId,
  results: Type.Array(SearchResult, { description: 'The memories that match, best first, at most `top_k`.' }),
  retrieval_error: Type.Optional(
    Type.Literal(true, {
      description: 'True if the embedder could not be reached, so that only the words of the query were searched. Absent otherwise.'
    })
  ),
  stages: Type.Optional(Type.Array(Stage, { description: 'The stages of the search, in their order; present with `explain`.' }))
})

const readSearch = createReader(SearchBody)
const writeFound = createWriter(SearchResponse)

/** Adds the route that searches one session. */
export function addSearchRoutes(app: Http, { askSession }: { askSession: AskSession }): void {
  app.post(
    '/v1/session/:session_id/search',
    {
      schema: {
        operationId: 'session_search',
        tags: ['extensions'],
        summary: 'Search the memories of a session; changes nothing',
        params: SessionPath,
        body: SearchBody,
        response: { 200: SearchResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const { retrievalError, ...found } = await askSession(request, session_id, {
        type: 'session.search',
        topK: limits.SEARCH_TOP_K_DEFAULT,
        explain: false,
        filter: {},
        ...readSearch(request.body)
      })
      return writeFound({ sessionId: session_id, ...found, ...(retrievalError && { retrievalError }) })
    }
  )
}
