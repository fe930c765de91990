/** Cross-origin access for browsers, only where origins are configured. */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Seconds that a browser may keep the answer to a preflight; Chromium keeps none longer than two hours. */
const PREFLIGHT_AGE_S = 600

/**
 * What the official chat client adds to its requests, in browsers too: a preflight that leaves one out stops it. Firefox and Safari ask for
 * `User-Agent`, where Chromium sends its own.
 */
const CHAT_CLIENT_HEADERS = [
  'User-Agent',
  'OpenAI-Organization',
  'OpenAI-Project',
  ...['Arch', 'Helper-Method', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'].map(
    (name) => `X-Stainless-${name}`
  )
]

/** Likewise the official client of the Model Context Protocol, from its second message on. */
const TOOL_CLIENT_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Session-Id', 'Last-Event-ID']

/** Beside those of the service, what its model service says and the proxy passes on: `openai` reads some of it in browsers too. */
const EXPOSED_HEADERS = [
  ...['Retry-After', 'X-Session-Id', 'X-Request-Id', 'OpenAI-Processing-Ms'],
  ...['requests', 'tokens'].flatMap((kind) => ['limit', 'remaining', 'reset'].map((part) => `X-RateLimit-${part}-${kind}`))
]

/** Goes before authentication: a preflight never carries a token. Interface, Limits: CORS_ALLOW_ORIGINS. */
export async function registerCrossOrigin(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return
  await app.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'X-API-Key', 'Content-Type', 'X-Session-Id', ...CHAT_CLIENT_HEADERS, ...TOOL_CLIENT_HEADERS],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_AGE_S,
    strictPreflight: false
  })
}
