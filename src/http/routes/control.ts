/** Routes that steer a session: triggers, anchors, and the isolation filter. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { createReader, createWriter } from '../contract/codec.js'
import type { Http } from '../contract/typed-http.js'
import { AnsweredSessionId, Embedding, IsolationLevel, nullable, optional, SessionPath, text } from '../contract/schemas.js'
import type { AskSession } from '../contract/resource-ask.js'

/** Interface, Session control: `threshold` of a trigger. */
const TRIGGER_THRESHOLD_DEFAULT = 0.75

const TriggerBody = Type.Object(
  {
    keyword: optional(
      text({
        maxLength: limits.KEYWORD_LENGTH_MAX,
        description:
          'Word or phrase that fires the trigger where an input has it as a whole, in upper or lower case. The same keyword again replaces its trigger.'
      })
    ),
    embedding: optional({ ...Embedding, description: 'Vector that fires the trigger where an input is near it, by `threshold`.' }),
    threshold: optional(
      Type.Number({
        minimum: -1,
        maximum: 1,
        default: TRIGGER_THRESHOLD_DEFAULT,
        description: 'Similarity of an input to `embedding` from which the trigger fires.'
      })
    )
  },
  { 'x-exactly-one': ['keyword', 'embedding'] }
)

const TriggerResponse = Type.Object({
  session_id: AnsweredSessionId,
  trigger_count: Type.Integer({ description: 'Number of triggers of the session, 0 to 256.' })
})

const AnchorBody = Type.Object(
  {
    embedding: optional({ ...Embedding, description: 'The direction as a vector, of as many numbers as the session has dimensions.' }),
    text: optional(text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'The direction in words, which are embedded here.' }))
  },
  { 'x-exactly-one': ['embedding', 'text'] }
)

const AnchorCount = Type.Integer({ description: 'Number of anchors of the session, 0 to 64.' })

const AnchorResponse = Type.Object({ session_id: AnsweredSessionId, anchor_count: AnchorCount })

const AnchorScoreResponse = Type.Object({
  session_id: AnsweredSessionId,
  anchor_score: nullable(
    Type.Number(),
    'Similarity of the semantic state to the nearest anchor; 0 before any input, null without an anchor.'
  ),
  anchor_count: AnchorCount,
  drift_threshold: Type.Number({
    description: 'Score of the anchors below which the session is pulled back to them: `SERVICE_DRIFT_THRESHOLD`.'
  }),
  realignment_remaining: Type.Integer({ description: 'Number of coming turns that are still pulled back towards the anchors, 0 to 4.' })
})

function vectors(description: string) {
  return optional(Type.Array(Embedding, { maxItems: limits.ISOLATION_VECTORS_MAX, default: [], description }))
}

const IsolationBody = Type.Object({
  level: IsolationLevel,
  exclusion_embeddings: vectors('Vectors of what is never on the domain: an input at least `similarity_threshold` near one is off it.'),
  allowlist_embeddings: vectors(
    'Vectors of what is on the domain. They are the domain of a session without anchors; under `LOCKDOWN` they come before the anchors.'
  ),
  similarity_threshold: optional(
    Type.Number({
      minimum: -1,
      maximum: 1,
      default: limits.ISOLATION_THRESHOLD_DEFAULT,
      description: 'Similarity to the domain below which an input is off it, and similarity to an exclusion from which it is.'
    })
  )
})

const IsolationResponse = Type.Object({
  session_id: AnsweredSessionId,
  level: IsolationLevel,
  similarity_threshold: Type.Number({ description: 'The threshold that applies now, -1 to 1.' }),
  exclusion_count: Type.Integer({ description: 'Number of exclusion embeddings, 0 to 256.' }),
  allowlist_count: Type.Integer({ description: 'Number of allowlist embeddings, 0 to 256.' }),
  quarantined_count: Type.Integer({ description: 'Number of inputs that are held back, 0 to 256. Changing the level releases none.' })
})

const ReleaseResponse = Type.Object({
  session_id: AnsweredSessionId,
  released_count: Type.Integer({ description: 'Number of inputs that were taken into memory; 0 if none were held.' }),
  level: IsolationLevel
})

const readTrigger = createReader(TriggerBody)
const writeTriggers = createWriter(TriggerResponse)
const readAnchor = createReader(AnchorBody)
const writeAnchors = createWriter(AnchorResponse)
const writeAnchorScore = createWriter(AnchorScoreResponse)
const readIsolation = createReader(IsolationBody)
const writeIsolation = createWriter(IsolationResponse)
const writeRelease = createWriter(ReleaseResponse)

/** Adds the routes of triggers, anchors and isolation. */
export function addControlRoutes(app: Http, { askSession }: { askSession: AskSession }): void {
  addTriggerRoutes(app, askSession)
  addAnchorRoutes(app, askSession)
  addIsolationRoutes(app, askSession)
}

function addTriggerRoutes(app: Http, askSession: AskSession): void {
  app.post(
    '/v1/session/:session_id/trigger',
    {
      schema: {
        operationId: 'trigger',
        tags: ['control'],
        summary: 'Set a resonance trigger, which raises the importance of the turns it fires on',
        params: SessionPath,
        body: TriggerBody,
        response: { 200: TriggerResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const command = { type: 'trigger.set', threshold: TRIGGER_THRESHOLD_DEFAULT, ...readTrigger(request.body) } as const
      return writeTriggers({ sessionId: session_id, ...(await askSession(request, session_id, command)) })
    }
  )

  app.delete(
    '/v1/session/:session_id/trigger',
    {
      schema: {
        operationId: 'trigger',
        tags: ['control'],
        summary: 'Clear all triggers',
        params: SessionPath,
        response: { 200: TriggerResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      return writeTriggers({ sessionId: session_id, ...(await askSession(request, session_id, { type: 'trigger.clear' })) })
    }
  )
}

function addAnchorRoutes(app: Http, askSession: AskSession): void {
  app.post(
    '/v1/session/:session_id/anchor',
    {
      schema: {
        operationId: 'anchor',
        tags: ['control'],
        summary: 'Set a drift anchor: a direction that the session should keep to',
        params: SessionPath,
        body: AnchorBody,
        response: { 200: AnchorResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const reply = await askSession(request, session_id, { type: 'anchor.set', ...readAnchor(request.body) })
      return writeAnchors({ sessionId: session_id, ...reply })
    }
  )

  app.get(
    '/v1/session/:session_id/anchor_score',
    {
      schema: {
        operationId: 'anchor_score',
        tags: ['control'],
        summary: 'Read how near the session is to its anchors; null without any',
        params: SessionPath,
        response: { 200: AnchorScoreResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      return writeAnchorScore({ sessionId: session_id, ...(await askSession(request, session_id, { type: 'anchor.score' })) })
    }
  )
}

function addIsolationRoutes(app: Http, askSession: AskSession): void {
  app.put(
    '/v1/session/:session_id/isolation',
    {
      schema: {
        operationId: 'isolation',
        tags: ['control'],
        summary: 'Set which inputs may enter the session',
        params: SessionPath,
        body: IsolationBody,
        response: { 200: IsolationResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      const reply = await askSession(request, session_id, {
        type: 'isolation.set',
        exclusionEmbeddings: [],
        allowlistEmbeddings: [],
        similarityThreshold: limits.ISOLATION_THRESHOLD_DEFAULT,
        ...readIsolation(request.body)
      })
      return writeIsolation({ sessionId: session_id, ...reply })
    }
  )

  app.post(
    '/v1/session/:session_id/isolation/release',
    {
      schema: {
        operationId: 'isolation_release',
        tags: ['control'],
        summary: 'Release held inputs into memory, in their order',
        params: SessionPath,
        response: { 200: ReleaseResponse }
      }
    },
    async (request) => {
      const { session_id } = request.params
      return writeRelease({ sessionId: session_id, ...(await askSession(request, session_id, { type: 'isolation.release' })) })
    }
  )
}
