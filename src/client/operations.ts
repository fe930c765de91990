/** Health, readiness, metrics and schema of the service. */
import type { CallOptions, Requests, Schemas } from './requests.js'

export interface Credentials {
  readonly user: string
  readonly password: string
}

export function createOperations({ api, repeatable }: Requests) {
  return {
    /** Tells whether the service is alive, and how many sessions are active. Needs no token. */
    health: (options?: CallOptions) => repeatable(options, (init) => api.GET('/v1/health', init)),
    /** Tells whether every dependency can be reached; `checks` names what cannot. Resolves also when the service is not ready. */
    ready: (options?: CallOptions) =>
      repeatable(options, async (init) => {
        const { data, error, response } = await api.GET('/v1/readyz', init)
        return { ...readinessIn(data ?? error), error, response }
      }),
    /** Returns the metrics in the Prometheus text format. Uses these credentials instead of the token. */
    metrics: (credentials: Credentials, options?: CallOptions) =>
      repeatable(options, (init) =>
        api.GET('/metrics', { ...init, headers: { authorization: `Basic ${base64(credentials)}` }, parseAs: 'text' })
      ),
    /** Returns the service's OpenAPI document. */
    openapi: (options?: CallOptions) => repeatable(options, (init) => api.GET('/openapi.json', init))
  }
}

function readinessIn(body: unknown): { readonly data?: Schemas['Readiness'] } {
  return typeof body === 'object' && body !== null && 'ready' in body ? { data: body as Schemas['Readiness'] } : {}
}

function base64({ user, password }: Credentials): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(`${user}:${password}`)))
}
