/** Regions. */
import { type Reference, TIMESTAMP } from './entry.js'

const REGION_MISSING = 'The caller has no such region.'
const REGION_ID = '7b0e4d62-93c5-4f0a-8a1d-2c6f5e9b3d17'
const INFO = {
  region_id: REGION_ID,
  name: 'Europe',
  meta_session_id: 'e5a1c7d9-06b4-4c8e-9f23-71d0b8a6f542',
  consensus_threshold: 0.5,
  vote_window_seconds: 60
}
const EVENT = {
  event_id: 'a2c4e6f8-1b3d-4f5a-8c7e-9d0b2f4a6c8e',
  cluster_id: 'support',
  region_id: REGION_ID,
  drift_score: 0.72,
  drift_phase: 'drifted',
  timestamp: TIMESTAMP
}

export const REGIONS: Reference = {
  'POST /v1/region/': {
    description:
      'Makes a region with a meta-session, whose state is the consensus of its clusters. Session settings in the request apply to the ' +
      'meta-session.',
    refusals: { 409: 'The caller has the maximum number of regions.' },
    request: { name: 'CreateRegionRequest', example: { name: 'Europe', consensus_threshold: 0.5, vote_window_seconds: 60 } },
    answer: { name: 'Region', example: INFO }
  },
  'GET /v1/region/': {
    description: 'All regions of the caller in one answer, ordered by id.',
    answer: { name: 'Regions', example: [{ ...INFO, cluster_count: 1 }] }
  },
  'GET /v1/region/{region_id}': {
    description: 'The region with its clusters, its latest drift events, and the time of its last realignment.',
    refusals: { 404: REGION_MISSING },
    answer: {
      name: 'RegionState',
      example: {
        ...INFO,
        cluster_count: 1,
        clusters: ['support'],
        recent_drift_events: [EVENT],
        last_realignment: null,
        realignment_count: 0
      }
    }
  },
  'DELETE /v1/region/{region_id}': {
    description: 'Deletes the region and its meta-session. Its clusters stay.',
    refusals: { 404: REGION_MISSING },
    answer: { name: 'DeleteRegionResponse', example: { region_id: REGION_ID, deleted: true } }
  },
  'GET /v1/region/{region_id}/events': {
    description: 'The drift events that the region received from its clusters, newest first.',
    refusals: { 404: REGION_MISSING },
    answer: { name: 'DriftEvents', example: [EVENT] }
  },
  'POST /v1/region/{region_id}/clusters': {
    description:
      'Attaches a cluster. Each run of its session that drifts is a vote. When the votes within the window exceed the threshold, the ' +
      'region realigns.',
    refusals: {
      404: 'The caller has no such region, or no such cluster; `detail` says which.',
      409: 'The region has the maximum number of clusters, the cluster is in the maximum number of regions, or one of them is full by bytes.'
    },
    request: { name: 'AttachRequest', example: { cluster_id: 'support' } },
    answer: { name: 'AttachResponse', example: { region_id: REGION_ID, cluster_id: 'support', added: true, cluster_count: 1 } }
  },
  'DELETE /v1/region/{region_id}/clusters/{cluster_id}': {
    description: 'Detaches a cluster and discards its votes.',
    refusals: { 404: 'The caller has no such region, or the region no such cluster; `detail` says which.' },
    answer: { name: 'DetachResponse', example: { region_id: REGION_ID, cluster_id: 'support', removed: true } }
  }
}
