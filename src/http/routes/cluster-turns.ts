/** Routes that feed the shared session of a cluster. They ask the session's owner directly: its id is the cluster's. */
import { type Static, Type } from '@sinclair/typebox'
import type { Exchange } from '../../domain/commands/coordination-commands.js'
import { DomainError } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import type { Http } from '../contract/typed-http.js'
import { ClusterPath, optional, text, UserId } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'
import { RunBody, RunResponse, toRunResponse, toRunTurn } from './turns.js'

/** Maximum question and answer pairs per call: together as many memories as one bulk ingest accepts. */
const PAIRS_MAX = limits.INGEST_MEMORIES_MAX / 2

const Question = text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'The question.' })
const Answer = text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'Its answer.' })
const Pair = Type.Object({ message: Question, response: Answer, user_id: optional(UserId) }, { title: 'Exchange' })

const StoreBody = Type.Object(
  {
    message: optional(Question),
    response: optional(Answer),
    pairs: optional(Type.Array(Pair, { minItems: 1, maxItems: PAIRS_MAX, description: 'Several questions with their answers.' })),
    user_id: optional(UserId)
  },
  {
    'x-exactly-one': ['pairs', 'message'],
    description: 'Questions with their answers: one as `message` and `response`, or several as `pairs`.'
  }
)
const StoreResponse = Type.Object({
  cluster_id: Type.String({ description: 'Id of the cluster.' }),
  stored: Type.Integer({ description: 'Number of pairs of this request that the shared session holds now.' })
})

/** Adds the store and run routes. */
export function addClusterTurnRoutes(app: Http, { askShared }: { askShared: AskSession }): void {
  app.post(
    '/v1/cluster/:cluster_id/store',
    {
      schema: {
        operationId: 'cluster_store',
        tags: ['clusters'],
        summary: 'Seed the shared session with answered questions',
        params: ClusterPath,
        body: StoreBody,
        response: { 200: StoreResponse }
      }
    },
    async (request) => {
      const { cluster_id } = request.params
      const exchanges = toExchanges(request.body)
      const { stored } = await askShared(request, cluster_id, { type: 'exchange.learn', exchanges, backing: 'cluster' })
      return { cluster_id, stored }
    }
  )

  app.post(
    '/v1/cluster/:cluster_id/run',
    {
      schema: {
        operationId: 'cluster_run',
        tags: ['clusters'],
        summary: 'Run a message against the shared session',
        params: ClusterPath,
        // A `session_id` in the body is validated but ignored: the path names the session.
        body: RunBody,
        response: { 200: RunResponse }
      }
    },
    async (request) => {
      const { cluster_id } = request.params
      const command = { ...toRunTurn(request.body), backing: 'cluster' } as const
      return toRunResponse(cluster_id, await askShared(request, cluster_id, command, request.body.idempotency_key))
    }
  )
}

/** The body's user applies to every pair that names none. */
function toExchanges({ message, response, pairs, user_id }: Static<typeof StoreBody>): Exchange[] {
  if (message != null && response == null) throw new DomainError('invalid_input', 'Field required', { loc: ['response'] })
  const given = pairs ?? [{ message: message ?? '', response: response ?? '' }]
  return given.map((pair) => ({ question: pair.message, answer: pair.response, userId: pair.user_id ?? user_id ?? null }))
}
