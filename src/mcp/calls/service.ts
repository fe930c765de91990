/** What the tools need of the service: its HTTP interface, wherever it runs. */

/** Session of calls that name none, unless the client's configuration sets another. */
export const SESSION_DEFAULT = 'default'

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Percent-encoded, with its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
}

export interface ServiceAnswer {
  /** 0: the service was not reached. */
  readonly status: number
  /** Parsed JSON, or null if it is not JSON. An error has `detail`. */
  readonly body: unknown
}

/** Calls the service as the user of the tools. Rejects only if `signal` was aborted. */
export type CallService = (request: ServiceRequest, signal: AbortSignal) => Promise<ServiceAnswer>

/** The caller and the session of a tool call. */
export interface ToolContext {
  readonly call: CallService
  /** Session of calls that name none. */
  readonly session: string
  /** Identifies this tool call, so that a turn which is sent again counts once. */
  readonly key: string
  readonly signal: AbortSignal
}

/** Returns a query string of the defined values; empty if there are none. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

/** Returns the path of a session, followed by `rest`. */
export function sessionPath(sessionId: string, rest = ''): string {
  return `/v1/session/${encodeURIComponent(sessionId)}${rest}`
}
