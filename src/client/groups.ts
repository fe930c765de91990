/** Sessions that share what they learn, and what watches them: clusters, regions, the observer. */
import { newKey } from './keys.js'
import type { paths } from './openapi.js'
import type { CallOptions, Requests, Schemas } from './requests.js'

export type EventQuery = NonNullable<paths['/v1/region/{region_id}/events']['get']['parameters']['query']>

export function createClusters({ api, repeatable, once }: Requests) {
  const at = (cluster_id: string) => ({ path: { cluster_id } })
  return {
    create: (body: Schemas['CreateClusterRequest'] = {}, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/cluster/', { body, ...init })),
    list: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/cluster/', init)),
    get: (id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/cluster/{cluster_id}', { params: at(id), ...init })),
    /** Deletes the cluster and its backing session. */
    delete: (id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.DELETE('/v1/cluster/{cluster_id}', { params: at(id), ...init })),
    /** Adds a session. Adding it again changes only its weight. */
    addMember: (id: string, member: Schemas['AddMemberRequest'], options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/cluster/{cluster_id}/members', { params: at(id), body: member, ...init })),
    removeMember: (id: string, session_id: string, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.DELETE('/v1/cluster/{cluster_id}/members/{session_id}', { params: { path: { cluster_id: id, session_id } }, ...init })
      ),
    /** Seeds the shared session with answered questions. */
    store: (id: string, body: Schemas['ClusterStoreRequest'], options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/cluster/{cluster_id}/store', { params: at(id), body, ...init })),
    /** Runs a turn of the shared session. A missing idempotency key is added. */
    run: (id: string, body: Omit<Schemas['RunRequest'], 'session_id'>, options?: CallOptions) => {
      const keyed = { ...body, idempotency_key: body.idempotency_key ?? newKey() }
      return repeatable(options, (init) => api.POST('/v1/cluster/{cluster_id}/run', { params: at(id), body: keyed, ...init }))
    },
    /** Blends the cluster's aggregate back into its members. */
    feedback: (id: string, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/cluster/{cluster_id}/feedback', { params: at(id), ...init }))
  }
}

export function createRegions({ api, repeatable, once }: Requests) {
  const at = (region_id: string) => ({ path: { region_id } })
  return {
    create: (body: Schemas['CreateRegionRequest'] = {}, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/region/', { body, ...init })),
    list: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/region/', init)),
    get: (id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/region/{region_id}', { params: at(id), ...init })),
    delete: (id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.DELETE('/v1/region/{region_id}', { params: at(id), ...init })),
    attach: (id: string, cluster_id: string, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/region/{region_id}/clusters', { params: at(id), body: { cluster_id }, ...init })),
    detach: (id: string, cluster_id: string, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.DELETE('/v1/region/{region_id}/clusters/{cluster_id}', { params: { path: { region_id: id, cluster_id } }, ...init })
      ),
    /** Returns drift events, newest first. */
    events: (id: string, query: EventQuery = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/region/{region_id}/events', { params: { ...at(id), query }, ...init }))
  }
}

export function createObserver({ api, repeatable, once }: Requests) {
  return {
    /** Creates the observer, or returns the existing one. */
    create: (body: Schemas['CreateObserverRequest'] = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.POST('/v1/observer/', { body, ...init })),
    delete: (options?: CallOptions) => repeatable(options, (init) => api.DELETE('/v1/observer/', init)),
    summary: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/observer/summary', init)),
    /** Samples all clusters now. */
    sample: (options?: CallOptions) => once(options, (init) => api.POST('/v1/observer/sample', init)),
    /** Returns anomalies, newest first. */
    anomalies: (query: EventQuery = {}, options?: CallOptions) =>
      repeatable(options, (init) => api.GET('/v1/observer/anomalies', { params: { query }, ...init })),
    clearAnomalies: (options?: CallOptions) => repeatable(options, (init) => api.DELETE('/v1/observer/anomalies', init)),
    registerRegion: (region_id: string, options?: CallOptions) =>
      once(options, (init) => api.POST('/v1/observer/regions', { body: { region_id }, ...init })),
    unregisterRegion: (region_id: string, options?: CallOptions) =>
      repeatable(options, (init) => api.DELETE('/v1/observer/regions/{region_id}', { params: { path: { region_id } }, ...init }))
  }
}
