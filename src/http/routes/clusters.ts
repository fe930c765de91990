/** Routes of clusters as resources: groups of sessions with a shared vector. */
import { Type } from '@sinclair/typebox'
import { AGGREGATION_MODES, type AggregationMode, type ClusterView } from '../../domain/commands/cluster-commands.js'
import { DomainError, notFound } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import type { Ids } from '../../ports.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import {
  choice,
  ClusterPath,
  Done,
  DriftPhase,
  DriftScore,
  GivenName,
  Name,
  nullable,
  optional,
  SessionId,
  UnderstandingPhase
} from '../contract/schemas.js'
import type { AskCluster } from '../contract/resource-ask.js'
import { SessionSettings, toSettings } from './session-settings.js'

/** Fields, Clusters. */
const MODE_DEFAULT: AggregationMode = 'weighted_average'
const COUPLING_DEFAULT = 0
const WEIGHT_DEFAULT = 1

const MemberPath = Type.Object({ cluster_id: Type.String(), session_id: Type.String() })

const Creation = Type.Object({
  cluster_id: optional(SessionId),
  name: GivenName,
  aggregation_mode: optional(
    Type.String({
      default: MODE_DEFAULT,
      description: `How members are aggregated: one of ${AGGREGATION_MODES.join(', ')}. Any other gets 400.`
    })
  ),
  coupling_factor: optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: COUPLING_DEFAULT,
      description: "Share of the aggregate in a member's state after feedback, 0 to 1."
    })
  )
})

/** With the settings of the session behind the cluster. */
const CreateBody = Type.Object({ ...Creation.properties, ...SessionSettings.properties })

const MemberCount = Type.Integer({ description: 'Number of members.' })

const info = {
  cluster_id: Type.String({ description: 'Id of the cluster, and of the session behind it.' }),
  name: Name,
  aggregation_mode: choice(AGGREGATION_MODES, { description: 'How members are aggregated.' }),
  coupling_factor: Type.Number({ description: "Share of the aggregate in a member's state after feedback, 0 to 1." })
}
const InfoResponse = Type.Object(info)
const ListResponse = Type.Array(Type.Object({ ...info, member_count: MemberCount }, { title: 'ClusterSummary' }))
const ClusterResponse = Type.Object({
  ...info,
  member_count: MemberCount,
  members: Type.Array(Type.String(), { description: 'Session ids of the members, in the order in which they were added.' }),
  member_weights: Type.Record(Type.String(), Type.Number(), { description: 'Weight of each member in the aggregate, by session id.' }),
  phase: UnderstandingPhase,
  drift_phase: DriftPhase,
  drift_score: DriftScore,
  interaction_count: Type.Integer({ description: 'Number of turns of the shared session.' }),
  total_memories: Type.Integer({ description: 'Number of memories of the shared session.' }),
  aggregate_vector: nullable(Type.Array(Type.Number()), 'Aggregate of the members; null before any input.')
})
const DeleteResponse = Type.Object({ cluster_id: info.cluster_id, deleted: Done })

const MemberBody = Type.Object({
  session_id: SessionId,
  weight: optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: limits.FLOAT32_MAX,
      default: WEIGHT_DEFAULT,
      description: 'Weight of the member in the aggregate, above 0.'
    })
  )
})
const member = { cluster_id: info.cluster_id, session_id: Type.String({ description: 'Id of the member.' }) }
const AddResponse = Type.Object({ ...member, added: Done, member_count: MemberCount })
const RemoveResponse = Type.Object({ ...member, removed: Done })

const FeedbackResponse = Type.Object({
  cluster_id: info.cluster_id,
  sessions_updated: Type.Integer({ description: 'Number of members whose state was blended with the aggregate.' })
})

const readCreation = createReader(Creation)
const readMember = createReader(MemberBody)
const writeInfo = createWriter(InfoResponse)
const writeList = createWriter(ListResponse)
const writeCluster = createWriter(ClusterResponse)
const writeAdded = createWriter(AddResponse)
const writeFeedback = createWriter(FeedbackResponse)

interface ClusterRoutesOptions {
  readonly askCluster: AskCluster
  readonly directory: Directory
  readonly ids: Ids
}

/** Adds the routes to create, list, read and delete clusters. */
export function addClusterRoutes(app: Http, { askCluster, directory, ids }: ClusterRoutesOptions): void {
  app.post(
    '/v1/cluster/',
    {
      schema: {
        operationId: 'cluster',
        tags: ['clusters'],
        summary: 'Make a cluster and the session behind it',
        body: CreateBody,
        response: { 201: InfoResponse }
      }
    },
    async (request, reply) => {
      const { clusterId = ids.uuid(), aggregationMode = MODE_DEFAULT, ...creation } = readCreation(request.body)
      const made = await askCluster(request, clusterId, {
        type: 'cluster.create',
        couplingFactor: COUPLING_DEFAULT,
        ...creation,
        aggregationMode: toMode(aggregationMode),
        settings: toSettings(request.body)
      })
      return reply.code(201).send(writeInfo({ clusterId, ...made }))
    }
  )

  app.get(
    '/v1/cluster/',
    {
      schema: {
        operationId: 'cluster',
        tags: ['clusters'],
        summary: "List all of the caller's clusters",
        response: { 200: ListResponse }
      }
    },
    async (request) => {
      return writeList(await directory.listClusters(request.subject))
    }
  )

  app.get(
    '/v1/cluster/:cluster_id',
    {
      schema: {
        operationId: 'cluster_state',
        tags: ['clusters'],
        summary: 'Read a cluster with its aggregate vector',
        params: ClusterPath,
        response: { 200: ClusterResponse }
      }
    },
    async (request) => {
      const { cluster_id } = request.params
      return toClusterBody(cluster_id, await askCluster(request, cluster_id, { type: 'cluster.read' }))
    }
  )

  app.delete(
    '/v1/cluster/:cluster_id',
    {
      schema: {
        operationId: 'cluster_state',
        tags: ['clusters'],
        summary: 'Delete a cluster and the session behind it',
        params: ClusterPath,
        response: { 200: DeleteResponse }
      }
    },
    async (request) => {
      const { cluster_id } = request.params
      const { deleted } = await askCluster(request, cluster_id, { type: 'cluster.delete' })
      if (!deleted) throw notFound('Cluster')
      return { cluster_id, deleted: true as const }
    }
  )
}

/** Adds the routes to add and remove members, and to feed the aggregate back to them. */
export function addMemberRoutes(app: Http, { askCluster }: Pick<ClusterRoutesOptions, 'askCluster'>): void {
  app.post(
    '/v1/cluster/:cluster_id/members',
    {
      schema: {
        operationId: 'cluster_members',
        tags: ['clusters'],
        summary: 'Add a session to a cluster, or change its weight',
        params: ClusterPath,
        body: MemberBody,
        response: { 200: AddResponse }
      }
    },
    async (request) => {
      const { cluster_id } = request.params
      const member = { weight: WEIGHT_DEFAULT, ...readMember(request.body) }
      const reply = await askCluster(request, cluster_id, { type: 'cluster.addMember', ...member })
      return writeAdded({ clusterId: cluster_id, sessionId: member.sessionId, added: true, ...reply })
    }
  )

  app.delete(
    '/v1/cluster/:cluster_id/members/:session_id',
    {
      schema: {
        operationId: 'cluster_member',
        tags: ['clusters'],
        summary: 'Take a session out of a cluster',
        params: MemberPath,
        response: { 200: RemoveResponse }
      }
    },
    async (request) => {
      const { cluster_id, session_id } = request.params
      const { removed } = await askCluster(request, cluster_id, { type: 'cluster.removeMember', sessionId: session_id })
      return { cluster_id, session_id, removed }
    }
  )

  app.post(
    '/v1/cluster/:cluster_id/feedback',
    {
      schema: {
        operationId: 'cluster_feedback',
        tags: ['clusters'],
        summary: 'Blend the aggregate into the members',
        params: ClusterPath,
        response: { 200: FeedbackResponse }
      }
    },
    async (request) => {
      const { cluster_id } = request.params
      return writeFeedback({ clusterId: cluster_id, ...(await askCluster(request, cluster_id, { type: 'cluster.feedback' })) })
    }
  )
}

/** Interface, Errors: an unknown mode is 400, where every other bad field is 422. */
function toMode(word: string): AggregationMode {
  const mode = AGGREGATION_MODES.find((known) => known === word)
  if (mode === undefined) throw new DomainError('malformed_payload', `Unknown aggregation_mode: use one of ${AGGREGATION_MODES.join(', ')}`)
  return mode
}

function toClusterBody(clusterId: string, { members, aggregateVector, ...view }: ClusterView) {
  return writeCluster({
    clusterId,
    ...view,
    memberCount: members.length,
    members: members.map(({ sessionId }) => sessionId),
    memberWeights: Object.fromEntries(members.map(({ sessionId, weight }) => [sessionId, weight])),
    aggregateVector: aggregateVector === null ? null : [...aggregateVector]
  })
}
