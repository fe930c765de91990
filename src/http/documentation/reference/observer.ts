/** The global observer. */
import { type Reference, TIMESTAMP } from './entry.js'

const OBSERVER_MISSING = 'The caller has no observer.'
const OBSERVER_ID = 'c8f2a1b0-4d6e-4a3c-9b7f-5e1d0c2a8f64'
const REGION_ID = '7b0e4d62-93c5-4f0a-8a1d-2c6f5e9b3d17'
const REGISTERED = { observer_id: OBSERVER_ID, registered_regions: [REGION_ID] }
const ANOMALY = {
  anomaly_id: 'd4b6f8a0-2c4e-4068-8aac-ce0f2143658b',
  timestamp: TIMESTAMP,
  anomaly_type: 'systemic_drift',
  affected_cluster_ids: ['support'],
  description: '1 of 1 clusters show drift',
  severity: 1
}

export const OBSERVER: Reference = {
  'POST /v1/observer/': {
    description:
      'Makes the observer of the caller, who has at most one. An existing observer is returned, and the named regions are ' +
      'registered with it.',
    refusals: {
      404: 'The caller has no such region.',
      409: 'The maximum number of regions is registered, or the observer is full by bytes.'
    },
    request: { name: 'CreateObserverRequest', example: { sample_interval_seconds: 30, region_ids: [REGION_ID] } },
    answer: {
      name: 'Observer',
      example: { ...REGISTERED, sample_interval_seconds: 30, meta_session_id: 'f0e1d2c3-b4a5-4968-8778-695a4b3c2d1e' }
    }
  },
  'DELETE /v1/observer/': {
    description:
      'Deletes the observer with its anomaly log and its meta-session, and samples no more. Regions and clusters stay. A new observer begins ' +
      'anew.',
    refusals: { 404: OBSERVER_MISSING },
    answer: { name: 'DeleteObserverResponse', example: { observer_id: OBSERVER_ID, deleted: true } }
  },
  'GET /v1/observer/summary': {
    description: 'What the observer samples, when it last did, and the latest anomalies.',
    refusals: { 404: OBSERVER_MISSING },
    answer: {
      name: 'ObserverSummary',
      example: { ...REGISTERED, total_clusters_observed: 1, last_sample_at: TIMESTAMP, anomaly_count: 1, recent_anomalies: [ANOMALY] }
    }
  },
  'POST /v1/observer/sample': {
    description: 'Samples all clusters of the registered regions now, in addition to the samples at the interval.',
    refusals: { 404: OBSERVER_MISSING },
    answer: {
      name: 'SampleResponse',
      example: { sampled_at: TIMESTAMP, clusters_sampled: 1, regions_sampled: 1, sample_duration_ms: 0.8, new_anomalies: 0 }
    }
  },
  'GET /v1/observer/anomalies': {
    description: 'The anomalies in the log, newest first. Each is recorded when it begins, and again only after it has ended.',
    refusals: { 404: OBSERVER_MISSING },
    answer: { name: 'Anomalies', example: [ANOMALY] }
  },
  'DELETE /v1/observer/anomalies': {
    description: 'Empties the anomaly log. An anomaly that is going on at that moment is recorded again only after it has ended.',
    refusals: { 404: OBSERVER_MISSING },
    answer: { name: 'ClearAnomaliesResponse', example: { cleared: 1 } }
  },
  'POST /v1/observer/regions': {
    description: 'Registers a region: its clusters are sampled from now on. Registering it again changes nothing.',
    refusals: { 404: OBSERVER_MISSING, 409: 'The maximum number of regions is registered, or the observer is full by bytes.' },
    request: { name: 'RegisterRegionRequest', example: { region_id: REGION_ID } },
    answer: { name: 'RegisterRegionResponse', example: { ...REGISTERED, region_id: REGION_ID } }
  },
  'DELETE /v1/observer/regions/{region_id}': {
    description: 'Unregisters a region. The anomalies that were found in it stay in the log.',
    refusals: { 404: 'The caller has no observer, or the region is not registered with it; `detail` says which.' },
    answer: { name: 'UnregisterRegionResponse', example: { observer_id: OBSERVER_ID, region_id: REGION_ID, removed: true } }
  }
}
