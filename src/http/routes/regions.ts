/** Routes of regions: consensus over clusters, reported as drift events. */
import { Type } from '@sinclair/typebox'
import type { RegionView } from '../../domain/commands/region-commands.js'
import { notFound } from '../../domain/errors.js'
import * as limits from '../../domain/limits.js'
import type { Ids } from '../../ports.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Directory } from '../contract/contracts.js'
import type { Http } from '../contract/typed-http.js'
import { Done, DriftPhase, GivenName, LogQuery, Name, nullable, optional, RegionPath, SessionId } from '../contract/schemas.js'
import type { AskRegion } from '../contract/resource-ask.js'
import { SessionSettings, toSettings } from './session-settings.js'

/** Share of the clusters, and seconds. Fields, Clusters, regions, observer. */
const CONSENSUS_THRESHOLD_DEFAULT = 0.5
const VOTE_WINDOW_S_DEFAULT = 60

const THRESHOLD = 'Share of the attached clusters that has to be exceeded by those that voted within the window. At 1 it never is.'
const WINDOW = 'Seconds for which the drift of a cluster counts as its vote.'

const AttachedPath = Type.Object({ region_id: Type.String(), cluster_id: Type.String() })

const Creation = Type.Object({
  name: GivenName,
  consensus_threshold: optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 1, default: CONSENSUS_THRESHOLD_DEFAULT, description: THRESHOLD })
  ),
  vote_window_seconds: optional(Type.Number({ exclusiveMinimum: 0, default: VOTE_WINDOW_S_DEFAULT, description: WINDOW }))
})

/** With the settings of the meta-session. */
const CreateBody = Type.Object({ ...Creation.properties, ...SessionSettings.properties })

const RegionId = Type.String({ description: 'Id of the region, a UUID.' })
const ClusterId = Type.String({ description: 'Id of the cluster.' })
const ClusterCount = Type.Integer({ description: 'Number of attached clusters, 0 to 1,000.' })

const info = {
  region_id: RegionId,
  name: Name,
  meta_session_id: Type.String({ description: 'Id of the session whose state is the consensus; deleted with the region.' }),
  consensus_threshold: Type.Number({ description: THRESHOLD }),
  vote_window_seconds: Type.Number({ description: WINDOW })
}
const InfoResponse = Type.Object(info)
const summary = { ...info, cluster_count: ClusterCount }
const ListResponse = Type.Array(Type.Object(summary, { title: 'RegionSummary' }))

const DriftEventItem = Type.Object(
  {
    event_id: Type.String({ description: 'Id of the event. An event that is told twice is listed once.' }),
    cluster_id: Type.String({ description: 'Id of the cluster that drifted.' }),
    region_id: RegionId,
    drift_score: Type.Number({ description: 'Drift score of the turn that drifted, 0 to 1.' }),
    drift_phase: DriftPhase,
    timestamp: Type.Number({ description: 'Time of the event, in epoch seconds.' })
  },
  { title: 'DriftEvent' }
)
const EventsResponse = Type.Array(DriftEventItem)

const RegionResponse = Type.Object({
  ...summary,
  clusters: Type.Array(Type.String(), { description: 'Ids of the attached clusters, in the order in which they were attached.' }),
  recent_drift_events: Type.Array(DriftEventItem, { description: 'The latest drift events, at most 20, newest first.' }),
  last_realignment: nullable(Type.Number(), 'Time of the last realignment, in epoch seconds; null before the first.'),
  realignment_count: Type.Integer({
    description: 'How often the region realigned: counted when the votes exceed the threshold, before the clusters have moved.'
  })
})

const DeleteResponse = Type.Object({ region_id: RegionId, deleted: Done })
const AttachBody = Type.Object({ cluster_id: SessionId })
const AttachResponse = Type.Object({
  region_id: RegionId,
  cluster_id: ClusterId,
  added: Done,
  cluster_count: ClusterCount
})
const DetachResponse = Type.Object({ region_id: RegionId, cluster_id: ClusterId, removed: Done })

const readCreation = createReader(Creation)
const writeInfo = createWriter(InfoResponse)
const writeList = createWriter(ListResponse)
const writeRegion = createWriter(RegionResponse)
const writeEvents = createWriter(EventsResponse)
const writeAttached = createWriter(AttachResponse)

/** Dependencies of the routes. */
interface RegionRouteOptions {
  readonly askRegion: AskRegion
  readonly directory: Pick<Directory, 'listRegions'>
  readonly ids: Ids
}

/** Adds the routes of regions, the clusters attached to them, and their drift events. */
export function addRegionRoutes(app: Http, { askRegion, directory, ids }: RegionRouteOptions): void {
  addCollectionRoutes(app, { askRegion, directory, ids })
  addRegionItemRoutes(app, askRegion)
  addAttachmentRoutes(app, askRegion)
}

function addCollectionRoutes(app: Http, { askRegion, directory, ids }: RegionRouteOptions): void {
  app.post(
    '/v1/region/',
    {
      schema: {
        operationId: 'regions',
        tags: ['regions'],
        summary: 'Make a region',
        body: CreateBody,
        response: { 201: InfoResponse }
      }
    },
    async (request, reply) => {
      const regionId = ids.uuid()
      const made = await askRegion(request, regionId, {
        type: 'region.create',
        consensusThreshold: CONSENSUS_THRESHOLD_DEFAULT,
        voteWindowS: VOTE_WINDOW_S_DEFAULT,
        ...readCreation(request.body),
        settings: toSettings(request.body)
      })
      return reply.code(201).send(writeInfo({ regionId, ...made }))
    }
  )

  app.get(
    '/v1/region/',
    {
      schema: {
        operationId: 'regions',
        tags: ['regions'],
        summary: 'List every region of the caller',
        response: { 200: ListResponse }
      }
    },
    async (request) => writeList(await directory.listRegions(request.subject))
  )
}

function addRegionItemRoutes(app: Http, askRegion: AskRegion): void {
  app.get(
    '/v1/region/:region_id',
    {
      schema: {
        operationId: 'region',
        tags: ['regions'],
        summary: 'Read a region',
        params: RegionPath,
        response: { 200: RegionResponse }
      }
    },
    async (request) => {
      const { region_id } = request.params
      return toRegion(region_id, await askRegion(request, region_id, { type: 'region.read' }))
    }
  )

  app.delete(
    '/v1/region/:region_id',
    {
      schema: {
        operationId: 'region',
        tags: ['regions'],
        summary: 'Delete a region and its meta-session',
        params: RegionPath,
        response: { 200: DeleteResponse }
      }
    },
    async (request) => {
      const { region_id } = request.params
      const { deleted } = await askRegion(request, region_id, { type: 'region.delete' })
      if (!deleted) throw notFound('Region')
      return { region_id, deleted: true as const }
    }
  )

  app.get(
    '/v1/region/:region_id/events',
    {
      schema: {
        operationId: 'region_events',
        tags: ['regions'],
        summary: 'List drift events, newest first',
        params: RegionPath,
        querystring: LogQuery,
        response: { 200: EventsResponse }
      }
    },
    async (request) => {
      const { region_id } = request.params
      const limit = request.query.limit ?? limits.LOG_ENTRIES_DEFAULT
      const { events } = await askRegion(request, region_id, { type: 'region.events', limit })
      return writeEvents(events.map((event) => ({ regionId: region_id, ...event })))
    }
  )
}

function addAttachmentRoutes(app: Http, askRegion: AskRegion): void {
  app.post(
    '/v1/region/:region_id/clusters',
    {
      schema: {
        operationId: 'region_attach',
        tags: ['regions'],
        summary: 'Attach a cluster, whose drift events count as votes from now on',
        params: RegionPath,
        body: AttachBody,
        response: { 200: AttachResponse }
      }
    },
    async (request) => {
      const { region_id } = request.params
      const { cluster_id } = request.body
      const reply = await askRegion(request, region_id, { type: 'region.attach', clusterId: cluster_id })
      return writeAttached({ regionId: region_id, clusterId: cluster_id, added: true, ...reply })
    }
  )

  app.delete(
    '/v1/region/:region_id/clusters/:cluster_id',
    {
      schema: {
        operationId: 'region_detach',
        tags: ['regions'],
        summary: 'Detach a cluster',
        params: AttachedPath,
        response: { 200: DetachResponse }
      }
    },
    async (request) => {
      const { region_id, cluster_id } = request.params
      await askRegion(request, region_id, { type: 'region.detach', clusterId: cluster_id })
      return { region_id, cluster_id, removed: true as const }
    }
  )
}

function toRegion(regionId: string, region: RegionView) {
  const recentDriftEvents = region.recentDriftEvents.map((event) => ({ regionId, ...event }))
  return writeRegion({ regionId, ...region, clusterCount: region.clusters.length, recentDriftEvents })
}
