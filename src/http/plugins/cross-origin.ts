/** Cross-origin access for browsers, only if origins are configured. */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

/** Seconds for which a browser may cache the answer to a preflight; Chromium caches for at most two hours. */
const PREFLIGHT_AGE_S = 600

/**
 * Headers that the official chat client sends, in browsers too: a preflight that omits one blocks the request. Firefox and Safari ask for
 * `User-Agent`, while Chromium sends its own.
 */
const CHAT_CLIENT_HEADERS = [
  'User-Agent',
  'OpenAI-Organization',
  'OpenAI-Project',
  ...['Arch', 'Helper-Method', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'].map(
    (name) => `X-Stainless-${name}`
  )
]

/** Headers of the official client of the Model Context Protocol, from its second message on. */
const TOOL_CLIENT_HEADERS = ['Mcp-Protocol-Version', 'Mcp-Session-Id', 'Last-Event-ID']

/**
 * Headers that pages may read: those of the service, and those of the model service that the proxy passes on. `openai` reads some of them
 * in browsers too.
 */
const EXPOSED_HEADERS = [
  ...['Retry-After', 'X-Session-Id', 'X-Request-Id', 'OpenAI-Processing-Ms'],
  ...['requests', 'tokens'].flatMap((kind) => ['limit', 'remaining', 'reset'].map((part) => `X-RateLimit-${part}-${kind}`))
]

/** Has to come before authentication, because a preflight never carries a token. Interface, Limits: CORS_ALLOW_ORIGINS. */
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
