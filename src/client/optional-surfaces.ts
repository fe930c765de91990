/** Routes that exist only when configured, and that the OpenAPI schema leaves out: the debugger and the compliance pack. */

interface Answered<Body> {
  readonly 200: { headers: Record<string, unknown>; content: { 'application/json': Body } }
}

interface Get<Parameters, Body> {
  get: { parameters: Parameters; requestBody?: never; responses: Answered<Body> }
}

/** What happened to a session or another part of the service. Further fields depend on the kind. */
export interface DebugEvent {
  /** Counts up by one from 1. */
  readonly seq: number
  /** Unix time in seconds. */
  readonly timestamp: number
  readonly kind: string
  readonly session_id?: string
  readonly [field: string]: unknown
}

export interface Topology {
  readonly nodes: {
    readonly id: string
    readonly kind: string
    readonly label: string
    readonly state: string
    readonly [field: string]: unknown
  }[]
  readonly edges: { readonly source: string; readonly target: string; readonly kind: string; readonly [field: string]: unknown }[]
  /** Number of actors that are left out. */
  readonly more: number
}

export interface ActorChart {
  readonly kind: string
  readonly id: string
  /** Current state of each machine, by its name. */
  readonly machines: Readonly<Record<string, unknown>>
}

export interface Erasure {
  readonly user_id: string
  readonly erased_memories: number
  readonly sessions_affected: number
}

export interface OptionalPaths {
  '/v1/debug/ticket': {
    post: { parameters: object; requestBody?: never; responses: Answered<{ ticket: string; expires_in: number }> }
  }
  '/v1/debug/recent': Get<
    { query?: { since?: number | undefined; limit?: number | undefined } },
    { readonly events: DebugEvent[]; readonly last_seq: number }
  >
  '/v1/debug/topology': Get<object, Topology>
  '/v1/debug/machines': Get<object, { readonly machines: readonly object[] }>
  '/v1/debug/actors/{kind}/{id}/chart': Get<{ path: { kind: string; id: string } }, ActorChart>
  '/v1/compliance/users/{user_id}/memory': {
    delete: { parameters: { path: { user_id: string } }; requestBody?: never; responses: Answered<Erasure> }
  }
}
