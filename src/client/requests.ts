/** The way to the service: typed by its paths, with the token, a deadline and retries. */
import createClient, { type Client } from 'openapi-fetch'
import { attempt } from './attempts.js'
import { EngramError } from './engram-error.js'
import type { components, paths } from './openapi.js'
import type { OptionalPaths } from './optional-surfaces.js'
import { toLost, toRefusal } from './refusals.js'
import type { Timers } from './timers.js'

/** Bodies and answers, by the names that the service's own schema gives them. */
export type Schemas = components['schemas']

export type Fetch = (request: Request) => Promise<Response>

/** Where the service is, and how it is asked. */
export interface EngramOptions {
  /** Base URL, as in `http://127.0.0.1:8000`. */
  readonly url: string
  /** Licence token, or what gives one for each try. Default: none, for a service that takes anonymous calls. */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Default: the platform's own. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for a call with all its retries, above 0. Default 30,000. */
  readonly deadlineMs?: number | undefined
  /** Tries after the first one at most, from 0, where another one is safe. Default 4. */
  readonly retries?: number | undefined
}

/** The same for one call. */
export interface CallOptions extends Partial<Pick<EngramOptions, 'deadlineMs' | 'retries'>> {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
}

/** What goes with each try. */
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
  /** A call that may safely be tried again when its answer is lost: it reads, says what is to be, or has a key. */
  readonly repeatable: Call
  /** A call that is tried again only when it was certainly not carried out. */
  readonly once: Call
  /** An answer that is read as it comes. The deadline is for its beginning. */
  open(
    path: string,
    init: RequestInit,
    options: CallOptions & { readonly hasToken: boolean; readonly isRepeatable: boolean }
  ): Promise<Response>
  /** Any call by its path, for those who pass calls on: JSON there and back, and tried again as one that may safely be. */
  passOn(call: PassedCall, options?: CallOptions): Promise<unknown>
  readonly timers: Timers
}

export interface PassedCall {
  readonly method: string
  /** From the root, with its query, encoded. */
  readonly path: string
  /** Sent as JSON. */
  readonly body?: object | undefined
}

const DEADLINE_MS = 30_000
const RETRIES = 4

/** Called as a function of its own: browsers refuse it as anything else. */
const platformFetch: Fetch = (request) => fetch(request)

/** Throws a TypeError for a URL, a deadline or a number of retries that cannot be used. */
export function createRequests(options: EngramOptions, timers: Timers): Requests {
  const { token: given, fetch: asks = platformFetch } = options
  const baseUrl = baseUrlOf(options.url)
  checkLimits(options)
  const api = createClient<paths & OptionalPaths>({ baseUrl, pathSerializer, fetch: (request) => received(asks, request) })

  async function tokenNow(): Promise<string | undefined> {
    const token = typeof given === 'function' ? await given() : given
    // Platforms name a header that they refuse, with what is in it.
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
          const request = new Request(`${baseUrl}${path}`, { ...init, headers, signal: lasting(signal, callOptions.signal) })
          const response = await unlessLost(asks(request), request)
          if (response.ok) return response
          throw toRefusal(response, await bodyOf(response), timers.epochMs())
        },
        limitsOf(callOptions, isRepeatable),
        timers
      ),
    passOn: ({ method, path, body }, callOptions) =>
      call(true)(callOptions, async ({ signal, headers }) => {
        const sent = body === undefined ? { headers } : { headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) }
        const response = await received(asks, new Request(`${baseUrl}${path}`, { method, signal, ...sent }))
        return response.ok ? { data: (await response.json()) as unknown, response } : { error: await bodyOf(response), response }
      })
  }
}

export const JSON_TYPE = { 'content-type': 'application/json' }

/** Null for what is no JSON, such as the page of a proxy before the service. */
async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null)
}

/** Ends what is still under way with the first signal, and what has begun with the second one. */
function lasting(starting: AbortSignal, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? starting : AbortSignal.any([starting, signal])
}

/** The whole answer: what breaks off on the way is no answer. */
async function received(asks: Fetch, request: Request): Promise<Response> {
  const whole = async () => {
    const response = await asks(request)
    const [{ status, headers }, text] = [response, await response.text()]
    // Some statuses have no body, and platforms refuse even an empty one.
    return new Response(text === '' ? null : text, { status, headers })
  }
  return unlessLost(whole(), request)
}

async function unlessLost<Result>(asked: Promise<Result>, { headers }: Request): Promise<Result> {
  try {
    return await asked
  } catch (error) {
    throw toLost(error, headers.get('authorization')?.replace(/^\S+ /, ''))
  }
}

/** What comes back is JSON, or not of this service. */
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

/** Each part is encoded. An empty one, or one that URLs take for a step upwards, would name something else. */
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
