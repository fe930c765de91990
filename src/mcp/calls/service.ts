/** What tools need of the service: its HTTP interface, wherever it runs. */

/** Session of calls that name none, unless a client's configuration does. */
export const SESSION_DEFAULT = 'default'

export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** With its query, encoded. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object
}

export interface ServiceAnswer {
  /** 0: the service was not reached. */
  readonly status: number
  /** Parsed JSON, or null where it is none. An error has `detail`. */
  readonly body: unknown
}

/** Calls the service as the user of the tools. Rejects only where `signal` was aborted. */
export type CallService = (request: ServiceRequest, signal: AbortSignal) => Promise<ServiceAnswer>

/** On whose behalf, and about which session, tools are called. */
export interface ToolContext {
  readonly call: CallService
  /** Session of calls that name none. */
  readonly session: string
  /** Names this call of a tool, so that a turn which is sent again is not taken twice. */
  readonly key: string
  readonly signal: AbortSignal
}

/** A query of the values that were given. */
export function queryOf(values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}

/** The path of a session's routes. */
export function sessionPath(sessionId: string, rest = ''): string {
  return `/v1/session/${encodeURIComponent(sessionId)}${rest}`
}
