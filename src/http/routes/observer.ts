/** Routes of the global observer; each caller has one. */
import { Type } from '@sinclair/typebox'
import { ANOMALY_TYPES } from '../../domain/commands/observer-commands.js'
import { notFound } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import { choice, Done, LogQuery, nullable, optional, RegionPath, SessionId } from '../contract/schemas.js'
import type { AskObserver } from '../contract/resource-ask.js'

/** Seconds. Fields, Clusters, regions, observer. */
const SAMPLE_INTERVAL_S_DEFAULT = 30

/** Maximum regions in the creation of an observer: as many as a caller can have. */
const REGION_IDS_MAX = 1_000

const CreateBody = Type.Object({
  sample_interval_seconds: optional(
    Type.Number({
      exclusiveMinimum: 0,
      default: SAMPLE_INTERVAL_S_DEFAULT,
      description: 'Seconds between two samples. Due samples are looked for once a second. An existing observer keeps its own.'
    })
  ),
  region_ids: optional(Type.Array(SessionId, { maxItems: REGION_IDS_MAX, description: 'Regions whose clusters are observed.' }))
})

const ObserverId = Type.String({ description: 'Id of the observer, a UUID.' })
const RegionId = Type.String({ description: 'Id of the region.' })

const registered = {
  observer_id: ObserverId,
  registered_regions: Type.Array(Type.String(), {
    description: 'Ids of the regions whose clusters are observed, in the order in which they were registered.'
  })
}

const ObserverResponse = Type.Object({
  ...registered,
  sample_interval_seconds: Type.Number({ description: 'Seconds between two samples.' }),
  meta_session_id: Type.String({ description: 'Id of a session that the observer keeps for itself.' })
})

const AnomalyItem = Type.Object(
  {
    anomaly_id: Type.String({ description: 'Id of the anomaly, a UUID.' }),
    timestamp: Type.Number({ description: 'Time at which it was recorded, in epoch seconds.' }),
    anomaly_type: choice(ANOMALY_TYPES, {
      description:
        '`cross_cluster_convergence`: at least 3 clusters in at least 2 regions are in the same phase, other than `initialization`. `systemic_drift`: more than half of the observed clusters are not `stable`. `cluster_divergence`: a cluster has more than 3 times as many turns as the clusters of its region on average.'
    }),
    affected_cluster_ids: Type.Array(Type.String(), { description: 'Clusters that it concerns; of more than 1,000 only the first.' }),
    description: Type.String({ description: 'A sentence for people, with the numbers: how many clusters, regions or turns.' }),
    severity: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'For a convergence or a drift the share of the observed clusters that it concerns; for a divergence the share of the turns of the cluster that exceeds the average.'
    })
  },
  { title: 'Anomaly' }
)

const AnomaliesResponse = Type.Array(AnomalyItem)

const SummaryResponse = Type.Object({
  ...registered,
  total_clusters_observed: Type.Integer({ description: 'Clusters attached to the registered regions, each counted once.' }),
  last_sample_at: nullable(Type.Number(), 'Time of the last sample, in epoch seconds; null before the first.'),
  anomaly_count: Type.Integer({ description: 'Number of anomalies in the log, 0 to 1,000.' }),
  recent_anomalies: Type.Array(AnomalyItem, { description: 'The latest anomalies, at most 20, newest first.' })
})

const SampleResponse = Type.Object({
  sampled_at: Type.Number({ description: 'Time of the sample, in epoch seconds.' }),
  clusters_sampled: Type.Integer({ description: 'Number of clusters that answered, each counted once.' }),
  regions_sampled: Type.Integer({ description: 'Number of registered regions that answered.' }),
  sample_duration_ms: Type.Number({ description: 'Milliseconds that asking and comparing took.' }),
  new_anomalies: Type.Integer({ description: 'Number of anomalies that the sample before did not have.' })
})

const ClearResponse = Type.Object({ cleared: Type.Integer({ description: 'Number of anomalies that were removed.' }) })

const RegisterBody = Type.Object({ region_id: SessionId })
const RegisterResponse = Type.Object({ ...registered, region_id: RegionId })
const UnregisterResponse = Type.Object({ observer_id: ObserverId, region_id: RegionId, removed: Done })

const DeleteResponse = Type.Object({ observer_id: ObserverId, deleted: Done })

const readCreation = createReader(CreateBody)
const writeInfo = createWriter(ObserverResponse)
const writeSummary = createWriter(SummaryResponse)
const writeSample = createWriter(SampleResponse)
const writeAnomalies = createWriter(AnomaliesResponse)
const writeRegistered = createWriter(RegisterResponse)
const writeUnregistered = createWriter(UnregisterResponse)

/** Adds the routes of the observer, its samples and anomalies, and its regions. */
export function addObserverRoutes(app: Http, { askObserver }: { askObserver: AskObserver }): void {
  addObserverItemRoutes(app, askObserver)
  addAnomalyRoutes(app, askObserver)
  addRegistrationRoutes(app, askObserver)
}

function addObserverItemRoutes(app: Http, askObserver: AskObserver): void {
  app.post(
    '/v1/observer/',
    {
      schema: {
        operationId: 'observer',
        tags: ['observer'],
        summary: 'Make the observer, or return the existing one with these regions registered too',
        body: CreateBody,
        response: { 201: ObserverResponse }
      }
    },
    async (request, reply) => {
      const asked = { sampleIntervalS: SAMPLE_INTERVAL_S_DEFAULT, regionIds: [], ...readCreation(request.body) }
      return reply.code(201).send(writeInfo(await askObserver(request, { type: 'observer.create', ...asked })))
    }
  )

  app.delete(
    '/v1/observer/',
    {
      schema: {
        operationId: 'observer',
        tags: ['observer'],
        summary: 'Delete the observer and its meta-session',
        response: { 200: DeleteResponse }
      }
    },
    async (request) => {
      const { observerId, deleted } = await askObserver(request, { type: 'observer.delete' })
      if (!deleted) throw notFound('Observer')
      return { observer_id: observerId, deleted: true as const }
    }
  )

  app.get(
    '/v1/observer/summary',
    {
      schema: {
        operationId: 'observer_summary',
        tags: ['observer'],
        summary: 'Read what the observer knows',
        response: { 200: SummaryResponse }
      }
    },
    async (request) => {
      return writeSummary(await askObserver(request, { type: 'observer.summary' }))
    }
  )

  app.post(
    '/v1/observer/sample',
    {
      schema: { operationId: 'observer_sample', tags: ['observer'], summary: 'Sample all clusters now', response: { 200: SampleResponse } }
    },
    async (request) => {
      return writeSample(await askObserver(request, { type: 'observer.sample' }))
    }
  )
}

function addAnomalyRoutes(app: Http, askObserver: AskObserver): void {
  app.get(
    '/v1/observer/anomalies',
    {
      schema: {
        operationId: 'observer_anomalies',
        tags: ['observer'],
        summary: 'List anomalies, newest first',
        querystring: LogQuery,
        response: { 200: AnomaliesResponse }
      }
    },
    async (request) => {
      const limit = request.query.limit ?? limits.LOG_ENTRIES_DEFAULT
      const { anomalies } = await askObserver(request, { type: 'observer.anomalies', limit })
      return writeAnomalies(anomalies)
    }
  )

  app.delete(
    '/v1/observer/anomalies',
    {
      schema: { operationId: 'observer_anomalies', tags: ['observer'], summary: 'Empty the anomaly log', response: { 200: ClearResponse } }
    },
    async (request) => {
      const { cleared } = await askObserver(request, { type: 'observer.clear' })
      return { cleared }
    }
  )
}

function addRegistrationRoutes(app: Http, askObserver: AskObserver): void {
  app.post(
    '/v1/observer/regions',
    {
      schema: {
        operationId: 'observer_register',
        tags: ['observer'],
        summary: 'Observe the clusters of a region from now on',
        body: RegisterBody,
        response: { 200: RegisterResponse }
      }
    },
    async (request) => {
      const { region_id } = request.body
      return writeRegistered({ regionId: region_id, ...(await askObserver(request, { type: 'observer.register', regionId: region_id })) })
    }
  )

  app.delete(
    '/v1/observer/regions/:region_id',
    {
      schema: {
        operationId: 'observer_unregister',
        tags: ['observer'],
        summary: 'Stop observing a region',
        params: RegionPath,
        response: { 200: UnregisterResponse }
      }
    },
    async (request) => {
      const { region_id } = request.params
      const reply = await askObserver(request, { type: 'observer.unregister', regionId: region_id })
      return writeUnregistered({ regionId: region_id, removed: true, ...reply })
    }
  )
}
