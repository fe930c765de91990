/** The OpenAPI document of every route that is registered after it. */
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { CHAT_PREFIX } from '../contract/chat-errors.js'
import { INTERFACE_VERSION } from '../contract/contracts.js'
import { WILDCARD_NAME } from '../plugins/route-table.js'
import { completeDocument } from './reference/complete.js'
import { CHAT_PROBLEM, PROBLEM, SCHEMAS, STRING, VALIDATION_PROBLEM } from './reference/problems.js'
import { SIMILARITIES } from './reference/similarities.js'

const RETRY_AFTER = { 'Retry-After': { type: 'integer', description: 'Seconds to wait before the next try.' } }
const SESSION_HEADER = { 'X-Session-Id': { ...STRING, description: 'Id of the session of the chat.' } }

const TAGS = [
  { name: 'operations', description: 'Health, readiness and metrics.' },
  { name: 'sessions', description: 'Sessions and their turns.' },
  { name: 'control', description: 'Triggers, anchors, isolation, injected memories, export and import.' },
  { name: 'literals', description: 'Pieces of code, stored verbatim under a key.' },
  { name: 'clusters', description: 'Groups of sessions that share what they learn, and an aggregate vector.' },
  { name: 'regions', description: 'Consensus over clusters, and their drift events.' },
  { name: 'observer', description: 'Anomalies among all clusters.' },
  { name: 'network', description: 'Transfer between sessions, user partitions, and consensus.' },
  { name: 'proxy', description: 'Chat completions from an upstream model, with the memory of a session.' },
  {
    name: 'extensions',
    description:
      'Routes beyond the original interface. A further extension is the field `idempotency_key` of a run, a store and the run of a cluster.'
  }
]

/** Collects the routes. Read the document with `app.swagger()` once the instance is ready. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Engram',
        version: INTERFACE_VERSION,
        description: `Semantic session memory for applications built on language models.\n\n${SIMILARITIES}`,
        contact: { name: 'Engram' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }
      },
      servers: [{ url: '/', description: 'The service that this document comes from.' }],
      tags: TAGS,
      components: {
        schemas: SCHEMAS,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'License token.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'License token.' },
          metrics: { type: 'http', scheme: 'basic', description: 'User name `METRICS_USER`, password `METRICS_PASSWORD`.' }
        }
      }
    },
    transform: ({ schema, url, route }) => ({
      schema: inEnvelope(withErrors(withNamedWildcard(schema), route), url),
      url: url.replace(/\*$/, `:${WILDCARD_NAME}`)
    }),
    transformObject: (input) => ('openapiObject' in input ? completeDocument(input.openapiObject) : input.swaggerObject)
  })
}

/** Adds the errors that every route of its kind may return; the routes' own schemas name only success. */
function withErrors(schema: FastifySchema | undefined, { config }: RouteOptions): FastifySchema {
  const access = config?.access ?? 'license'
  const own = (schema?.response ?? {}) as Record<string, object>
  const success = Object.fromEntries(Object.entries(own).map(([status, body]) => [status, { description: describe(status), ...body }]))
  const response = {
    ...(access === 'license' && {
      401: problem('Missing or invalid license token.'),
      402: problem('Expired license.')
    }),
    403: problem('Called from a page of another site, while no licenses are required.'),
    ...(access === 'basic' && { 200: text(), 401: problem('Missing or wrong credentials.'), 503: problem('Credentials not configured.') }),
    ...(schema?.params !== undefined && { 400: problem('The path is not valid percent-encoded UTF-8.') }),
    ...(schema?.body !== undefined && { 413: problem('Body too large.'), 415: problem('Body is not JSON, or is compressed.') }),
    ...((schema?.body ?? schema?.querystring) !== undefined && { 422: { description: 'Validation failed.', ...VALIDATION_PROBLEM } }),
    ...(access === 'license' && {
      429: { ...problem('Rate limit exceeded; `Retry-After: 60`.'), headers: RETRY_AFTER },
      503: { ...problem('Busy or temporarily unreachable; `Retry-After: 1`.'), headers: RETRY_AFTER }
    }),
    ...(access !== 'basic' && { 421: problem("The request names a host that is not the service's own.") }),
    500: problem('Unhandled server error.'),
    ...success
  }
  const security = access === 'license' ? [{ bearer: [] }, { apiKey: [] }] : access === 'basic' ? [{ metrics: [] }] : []
  return { ...schema, response, security }
}

/** The chat proxy has an envelope of its own for its refusals, and passes on those of its upstream. */
function inEnvelope(schema: FastifySchema, url: string): FastifySchema {
  if (!url.startsWith(CHAT_PREFIX)) return schema
  const { 200: answer, ...refusals } = schema.response as Record<string, object>
  const own = Object.entries({ ...refusals, 504: problem('The upstream took too long.') })
  const response = {
    ...Object.fromEntries(own.map(([status, refusal]) => [status, { ...refusal, ...CHAT_PROBLEM }])),
    200: schema.body === undefined ? answer : { ...answer, headers: SESSION_HEADER },
    default: { type: 'null', description: 'Refusal of the upstream, passed on with its status, type and body.' }
  }
  return { ...schema, response }
}

/** OpenAPI has no wildcards, so a trailing one becomes a named parameter. */
function withNamedWildcard(schema: FastifySchema | undefined): FastifySchema | undefined {
  const params = schema?.params as { properties: Record<string, unknown>; required: string[] } | undefined
  if (params?.properties['*'] === undefined) return schema
  const { '*': wildcard, ...properties } = params.properties
  const required = params.required.map((name) => (name === '*' ? WILDCARD_NAME : name))
  return { ...schema, params: { ...params, properties: { ...properties, [WILDCARD_NAME]: wildcard }, required } }
}

function problem(description: string): { description: string; $ref: string } {
  return { description, ...PROBLEM }
}

function text(): object {
  return { description: describe('200'), content: { 'text/plain': { schema: { type: 'string' } } } }
}

function describe(status: string): string {
  return status === '503' ? 'Not ready.' : 'Done.'
}
