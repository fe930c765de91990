/** A running service as commands speak to it: its address, the token, and what becomes of a refusal. */
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { processEnvironment } from '../../config.js'
import { CommandFailure, EXIT, usageFailure } from '../console/failure.js'

export interface ConnectionOptions {
  readonly url: string
  readonly tokenFile?: string
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** From the root, with its query. */
  readonly path: string
  /** JSON, or a body that goes out as it is. */
  readonly json?: object
  readonly body?: { readonly stream: () => ReadableStream<Uint8Array>; readonly bytes: number }
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Milliseconds until the answer begins. Default two minutes: the service itself answers within one. */
  readonly answerMs?: number
}

export interface Connection {
  /** Without a slash at its end. */
  readonly url: string
  /** The licence subject that the token names, unverified; empty without a token. */
  readonly owner: string
  /** Any answer of 2xx. Waits where the service asks to wait. Throws CommandFailure for every other. */
  open(call: Call): Promise<Response>
  /** Its JSON. */
  ask<Answer>(call: Call): Promise<Answer>
}

/** An answer that is no success; `detail` is the service's own sentence. */
export class ServiceRefusal extends CommandFailure {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail, status === 401 || status === 402 ? EXIT.unreachable : EXIT.failed)
    this.name = 'ServiceRefusal'
    this.status = status
  }
}

const ANSWER_MS_MAX = 120_000

/** Times that a busy service is waited for, at each call. */
const WAITS_MAX = 10
const WAIT_S_DEFAULT = 1
const WAIT_S_MAX = 120
const BUSY = new Set([429, 503])

/** Characters of a token file: a licence has some hundreds. */
const TOKEN_LENGTH_MAX = 16_384

/** Nothing is asked yet. Throws CommandFailure for an address or a token file that cannot be used. */
export async function openConnection({ url, tokenFile }: ConnectionOptions): Promise<Connection> {
  const base = baseOf(url)
  const token = await readToken(tokenFile)

  async function once({ method = 'GET', path, json, body, headers, signal, answerMs = ANSWER_MS_MAX }: Call): Promise<Response> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), answerMs)
    const payload = json === undefined ? body?.stream() : JSON.stringify(json)
    try {
      return await fetch(base + path, {
        method,
        redirect: 'error',
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(payload !== undefined && { 'content-type': 'application/json' }),
          ...(body !== undefined && { 'content-length': String(body.bytes) }),
          ...headers
        },
        ...(payload !== undefined && { body: payload }),
        ...(body !== undefined && { duplex: 'half' as const }),
        signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
      })
    } catch (cause) {
      signal?.throwIfAborted()
      const problem = deadline.signal.aborted ? 'does not answer' : 'cannot be reached'
      // The cause of a failed fetch names addresses, and never the token.
      throw new CommandFailure(`The service at ${base} ${problem}. Is it running? engram dev starts one.`, EXIT.unreachable, { cause })
    } finally {
      clearTimeout(timer)
    }
  }

  async function open(call: Call): Promise<Response> {
    for (let waits = 0; ; waits++) {
      const response = await once(call)
      if (response.ok) return response
      const detail = await detailOf(response)
      // 503 of a route that is not configured says so, and no Retry-After.
      const pause = response.headers.get('retry-after')
      if (!BUSY.has(response.status) || pause === null || waits === WAITS_MAX) throw new ServiceRefusal(response.status, detail)
      await wait(1_000 * Math.min(WAIT_S_MAX, Number(pause) || WAIT_S_DEFAULT), undefined, call.signal && { signal: call.signal })
    }
  }

  return {
    url: base,
    owner: ownerOf(token),
    open,
    ask: async <Answer>(call: Call) => (await (await open(call)).json()) as Answer
  }
}

function baseOf(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw usageFailure('The address of the service must be like http://127.0.0.1:8000.')
  const { username, password, search, hash, href } = new URL(url)
  if (username !== '' || password !== '') throw usageFailure('The address of the service must hold no password: everybody sees it in `ps`.')
  if (search !== '' || hash !== '') throw usageFailure('The address of the service must end with its path.')
  return href.replace(/(?<!\/)\/+$/, '')
}

async function readToken(file: string | undefined): Promise<string | undefined> {
  const text = file === undefined ? processEnvironment()['ENGRAM_TOKEN'] : await readFile(file, 'utf8').catch(() => null)
  if (text === null) throw usageFailure('The token file cannot be read.')
  const token = text?.trim()
  if (token === undefined || token === '') return undefined
  if (token.length > TOKEN_LENGTH_MAX || !/^[!-~]+$/.test(token)) throw usageFailure('The token is none: it has to be one word.')
  return token
}

function ownerOf(token: string | undefined): string {
  try {
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as { readonly sub?: unknown }
    return typeof claims.sub === 'string' ? claims.sub : ''
  } catch {
    // The service will say what is wrong with it.
    return ''
  }
}

async function detailOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  const detail = detailIn(text)
  return detail ?? `The service answered ${String(response.status)}.`
}

function detailIn(text: string): string | undefined {
  try {
    const body = JSON.parse(text) as { readonly detail?: unknown; readonly error?: { readonly message?: unknown } }
    if (typeof body.error?.message === 'string') return body.error.message
    if (typeof body.detail === 'string') return body.detail
    if (!Array.isArray(body.detail)) return undefined
    const problems = body.detail as readonly { readonly loc?: readonly unknown[]; readonly msg?: unknown }[]
    return problems.map(({ loc = [], msg }) => `${loc.join('.')}: ${String(msg)}`).join('\n')
  } catch {
    return undefined
  }
}
