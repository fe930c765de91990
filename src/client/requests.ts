/** Sends requests to the service: typed by its paths, with the token, a deadline and retries. */
import createClient, { type Client } from 'openapi-fetch'
import { attempt } from './attempts.js'
import { EngramError, isEngramError } from './engram-error.js'
import type { components, paths } from './openapi.js'
import type { OptionalPaths } from './optional-surfaces.js'
import { toLost, toRefusal } from './refusals.js'
import type { Timers } from './timers.js'

/** Request and response bodies, by their names in the service's OpenAPI schema. */
export type Schemas = components['schemas']

export type Fetch = (request: Request) => Promise<Response>

/** Where the service is and how to call it. */
export interface EngramOptions {
  /** Base URL, as in `http://127.0.0.1:8000`. */
  readonly url: string
  /** Licence token, or a function that returns one for each attempt. Default: none, for a service that accepts anonymous calls. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Default: the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Deadline of a call including all its retries, in milliseconds, above 0. Default 30,000. */
  readonly deadlineMs?: number | undefined
  /** Maximum number of retries after the first attempt, from 0, for calls that are safe to retry. Default 4. */
  readonly retries?: number | undefined
}

/** Options of a single call; they override those of the client. */
export interface CallOptions extends Partial<Pick<EngramOptions, 'deadlineMs' | 'retries'>> {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined
}

/** What every attempt is sent with. */
export type Init = {
  readonly signal: AbortSignal
  readonly headers: Record<string, string>
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

type Call = <Data>(options: CallOptions | undefined, ask: (init: Init) => Promise<Answer<Data>>) => Promise<NonNullable<Data>>

export interface Requests {
  readonly api: Client<paths & OptionalPaths>
  /** Makes a call that is safe to retry when its answer is lost: it reads, is idempotent, or carries a key. */
  readonly repeatable: Call
  /** Makes a call that is retried only when it was certainly not carried out. */
  readonly once: Call
  /** Opens an answer that is read as a stream. The deadline covers only the time until it begins. */
  open(
    path: string,
    init: RequestInit,
    options: CallOptions & { readonly hasToken: boolean; readonly isRepeatable: boolean }
  ): Promise<Response>
  /** Makes any call by its path, for callers that pass requests on. JSON in both directions; retried like a repeatable call. */
  passOn(call: PassedCall, options?: CallOptions): Promise<unknown>
  readonly timers: Timers
}

export interface PassedCall {
  readonly method: string
  /** From the root, percent-encoded, with its query. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object | undefined
}

const DEADLINE_MS = 30_000
const RETRIES = 4

/** Calls `fetch` as a plain function: browsers refuse it as a method of another object. */
const platformFetch: Fetch = (request) => fetch(request)

/** Redirects are answers like any other, and then refused: a request with its token and texts is meant for this service alone. */
const UNFOLLOWED = { redirect: 'manual' } as const

/** Throws a TypeError for a URL, a deadline or a number of retries that cannot be used. */
export function createRequests(options: EngramOptions, timers: Timers): Requests {
  const { token: given, fetch: asks = platformFetch } = options
  const baseUrl = baseUrlOf(options.url)
  checkLimits(options)
  const api = createClient<paths & OptionalPaths>({ ...UNFOLLOWED, baseUrl, pathSerializer, fetch: (request) => received(asks, request) })

  async function tokenNow(): Promise<string | undefined> {
    const token = typeof given === 'function' ? await given() : given
    // Platforms name a header that they refuse together with its value, so the token is checked here first.
    if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) throw new TypeError('The token is empty, or has characters that no token has')
    return token
  }
  const limitsOf = (call: CallOptions, isRepeatable: boolean) => {
    checkLimits(call)
    const { deadlineMs = options.deadlineMs ?? DEADLINE_MS, retries = options.retries ?? RETRIES, signal } = call
    return { deadlineMs, retries, signal, isRepeatable }
  }
  const call =
    (isRepeatable: boolean): Call =>
    (callOptions = {}, ask) =>
      attempt(
        async (signal) => {
          const token = await tokenNow()
          const { data, error, response } = await unlessMalformed(ask({ signal, headers: authorization(token) }))
          if (data != null) return data
          throw response.ok ? unexpected() : toRefusal(response, error, timers.epochMs())
        },
        limitsOf(callOptions, isRepeatable),
        timers
      )

  return {
    api,
    timers,
    repeatable: call(true),
    once: call(false),
    open: (path, init, { hasToken, isRepeatable, ...callOptions }) =>
      attempt(
        async (signal) => {
          const token = hasToken ? await tokenNow() : undefined
          const headers = { ...(init.headers as Record<string, string> | undefined), ...authorization(token) }
          const request = new Request(`${baseUrl}${path}`, {
            ...init,
            ...UNFOLLOWED,
            headers,
            signal: anySignal(signal, callOptions.signal)
          })
          const response = await unlessLost(asks(request).then(unlessRedirected), request)
          if (response.ok) return response
          throw toRefusal(response, await bodyOf(response), timers.epochMs())
        },
        limitsOf(callOptions, isRepeatable),
        timers
      ),
    passOn: ({ method, path, body }, callOptions) =>
      call(true)(callOptions, async ({ signal, headers }) => {
        const sent = body === undefined ? { headers } : { headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) }
        const response = await received(asks, new Request(`${baseUrl}${path}`, { ...UNFOLLOWED, method, signal, ...sent }))
        return response.ok ? { data: (await response.json()) as unknown, response } : { error: await bodyOf(response), response }
      })
  }
}

export const JSON_TYPE = { 'content-type': 'application/json' }

/** Null for a body that is not JSON, such as an error page of a proxy in front of the service. */
async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null)
}

/** Combines the attempt's signal with the caller's: the first ends an answer that has not begun, the second also one that has. */
function anySignal(starting: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? starting : AbortSignal.any([starting, signal])
}

/** Reads the whole answer. An answer that breaks off counts as lost. */
async function received(asks: Fetch, request: Request): Promise<Response> {
  const whole = async () => {
    const response = await asks(request).then(unlessRedirected)
    const [{ status, headers }, text] = [response, await response.text()]
    // Some statuses allow no body, and platforms refuse even an empty one for them.
    return new Response(text === '' ? null : text, { status, headers })
  }
  return unlessLost(whole(), request)
}

async function unlessLost<Result>(asked: Promise<Result>, { headers }: Request): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    if (isEngramError(error)) throw error
    throw toLost(error, headers.get('authorization')?.replace(/^\S+ /, ''))
  }
}

/** Reports a redirect as `unexpected`. Browsers show one that is not followed without its status. */
async function unlessRedirected(response: Response): Promise<Response> {
  if (response.type !== 'opaqueredirect' && (response.status < 300 || response.status >= 400)) return response
  await response.body?.cancel()
  throw new EngramError({ kind: 'unexpected', detail: 'The service answered with a redirect, which is not followed' })
}

/** Reports an answer that is not JSON as `unexpected`: it does not come from this service. */
async function unlessMalformed<Result>(asked: Promise<Result>): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof SyntaxError ? unexpected() : error
  }
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function unexpected(): EngramError {
  return new EngramError({ kind: 'unexpected', detail: 'The answer is not one of the interface' })
}

/** Percent-encodes each part. Throws a TypeError for an empty part and for `.` and `..`: the path would name something else. */
export function pathSerializer(path: string, parts: Record<string, unknown>): string {
  return path.replace(/\{([a-z_]+)\}/g, (_match, name: string) => {
    const part = String(parts[name])
    if (/^\.{0,2}$/.test(part)) throw new TypeError(`${name} may not be "${part}"`)
    return encodeURIComponent(part)
  })
}

function baseUrlOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isUsable = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
  if (!isUsable) throw new TypeError('url has to be an http or https URL without credentials')
  return `${parsed.origin}${parsed.pathname.replace(/\/$/, '')}`
}

function checkLimits({ deadlineMs = 1, retries = 0 }: Pick<CallOptions, 'deadlineMs' | 'retries'>): void {
  if (!(deadlineMs > 0 && Number.isFinite(deadlineMs))) throw new TypeError('deadlineMs has to be a number above 0')
  if (!(Number.isInteger(retries) && retries >= 0)) throw new TypeError('retries has to be a whole number from 0')
}
