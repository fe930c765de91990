/** Clusters. */
import type { Reference } from './entry.js'
import { SESSIONS } from './sessions.js'

const CLUSTER_MISSING = 'The caller has no such cluster.'
const INFO = { cluster_id: 'support', name: 'Support', aggregation_mode: 'weighted_average', coupling_factor: 0.3 }

export const CLUSTERS: Reference = {
  'POST /v1/cluster/': {
    description: 'Makes a cluster and the session behind it, which has the same id. Session settings in the request apply to that session.',
    refusals: {
      400: 'Unknown `aggregation_mode`.',
      409: 'The caller already has a cluster or a session of that id, or the maximum number of clusters.'
    },
    request: { name: 'CreateClusterRequest', example: { ...INFO } },
    answer: { name: 'Cluster', example: INFO }
  },
  'GET /v1/cluster/': {
    description: 'All clusters of the caller in one answer, ordered by id.',
    answer: { name: 'Clusters', example: [{ ...INFO, member_count: 1 }] }
  },
  'GET /v1/cluster/{cluster_id}': {
    description:
      'The cluster with its members, the state of its session, and the aggregate vector of its members, which is computed for this request.',
    refusals: { 404: CLUSTER_MISSING },
    answer: {
      name: 'ClusterState',
      example: {
        ...INFO,
        member_count: 1,
        members: ['anna'],
        member_weights: { anna: 1 },
        phase: 'initialization',
        drift_phase: 'stable',
        drift_score: 0,
        interaction_count: 0,
        total_memories: 0,
        aggregate_vector: null
      }
    }
  },
  'DELETE /v1/cluster/{cluster_id}': {
    description: 'Deletes the cluster and the session behind it. Its member sessions stay.',
    refusals: { 404: CLUSTER_MISSING },
    answer: { name: 'DeleteClusterResponse', example: { cluster_id: 'support', deleted: true } }
  },
  'POST /v1/cluster/{cluster_id}/members': {
    description:
      'Adds a session to the cluster. Answers that it gets from now on are shared with the other members. Adding a member again changes its weight.',
    refusals: {
      404: 'The caller has no such cluster, or no such session; `detail` says which.',
      409: 'The cluster has the maximum number of members, the session is in the maximum number of clusters, or one of them is full by bytes.'
    },
    request: { name: 'AddMemberRequest', example: { session_id: 'anna', weight: 1 } },
    answer: { name: 'AddMemberResponse', example: { cluster_id: 'support', session_id: 'anna', added: true, member_count: 1 } }
  },
  'DELETE /v1/cluster/{cluster_id}/members/{session_id}': {
    description: 'Removes a session from the cluster. What it shared stays with the cluster.',
    refusals: { 404: 'The caller has no such cluster, or the cluster no such member; `detail` says which.' },
    answer: { name: 'RemoveMemberResponse', example: { cluster_id: 'support', session_id: 'anna', removed: true } }
  },
  'POST /v1/cluster/{cluster_id}/store': {
    description: 'Stores answered questions in the shared session: one as `message` and `response`, or several as `pairs`.',
    refusals: { 404: CLUSTER_MISSING, 409: 'The shared session is full. Nothing has changed.' },
    request: {
      name: 'ClusterStoreRequest',
      example: { pairs: [{ message: 'Where is my invoice?', response: 'Under Account, Billing, Invoices.' }] }
    },
    answer: { name: 'ClusterStoreResponse', example: { cluster_id: 'support', stored: 1 } }
  },
  'POST /v1/cluster/{cluster_id}/run': {
    description:
      'One turn of the shared session. The id in the path wins over a `session_id` in the body. If the turn drifts, the regions of the ' +
      'cluster are told.',
    refusals: { 404: CLUSTER_MISSING, 409: 'The shared session is full. Nothing has changed.' },
    request: { name: 'RunRequest', example: { message: 'Where do I find my invoice?', short_circuit_threshold: 0.85 } },
    answer: { name: 'RunResponse', example: { ...(SESSIONS['POST /v1/run']?.answer?.example as object), session_id: 'support' } }
  },
  'POST /v1/cluster/{cluster_id}/feedback': {
    description: 'Moves every member towards the aggregate by the coupling factor: 0 moves none, 1 replaces its state.',
    refusals: { 404: CLUSTER_MISSING, 409: 'The cluster is full by bytes. Nothing has changed.' },
    answer: { name: 'FeedbackResponse', example: { cluster_id: 'support', sessions_updated: 1 } }
  }
}
