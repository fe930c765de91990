/** Connection of a command to a running service: the client, the licence token, and the handling of refusals. */
import { readFile } from 'node:fs/promises'
import { createEngram, type Engram } from '../../client/engram.js'
import { type EngramError, type EngramErrorKind, isEngramError } from '../../client/engram-error.js'
import { processEnvironment } from '../../config.js'
import { CommandFailure, EXIT, usageFailure } from '../console/failure.js'
import { plainLine } from '../console/plain-text.js'

export interface ConnectionOptions {
  readonly url: string
  readonly tokenFile?: string
}

export interface Connection {
  /** Without a trailing slash. */
  readonly url: string
  /** Licence subject in the token, unverified; empty without a token. */
  readonly owner: string
  readonly engram: Engram
}

/** Milliseconds for a call with its retries: the service answers within half a minute, and may ask a caller to wait for up to one more. */
const DEADLINE_MS = 90_000

/** Options of calls within long work, which should survive a busy or restarting service. */
export const PATIENT = { retries: 10, deadlineMs: 300_000 } as const

/** Milliseconds for the first call, which reads nothing and waits for nothing. */
const GREETING_MS_MAX = 10_000

/** Maximum characters of a token file; a licence has a few hundred. */
const TOKEN_LENGTH_MAX = 16_384

/** Maximum characters of the reason why a service cannot be reached. */
const REASON_LENGTH_MAX = 200

/**
 * Runs `work`. Throws CommandFailure for an unusable address or token file, when something else or nothing answers there, and for refusals
 * of the service.
 */
export async function withConnection<Result>(
  { url, tokenFile }: ConnectionOptions,
  work: (service: Connection) => Promise<Result>
): Promise<Result> {
  const base = baseOf(url)
  const token = await readToken(tokenFile)
  const engram = createEngram({
    url: base,
    deadlineMs: DEADLINE_MS,
    // The token is meant only for this service.
    fetch: (request) => fetch(request, { redirect: 'error' }),
    ...(token !== undefined && { token })
  })
  try {
    await greet(engram, base)
    return await work({ url: base, owner: ownerOf(token), engram })
  } catch (error) {
    throw isEngramError(error) ? toFailure(error, base) : error
  }
}

const EXITS: Partial<Record<EngramErrorKind, number>> = {
  unauthorized: EXIT.unreachable,
  expired: EXIT.unreachable,
  aborted: EXIT.interrupted
}

/** Uses the service's own words, or says that it cannot be reached. */
export function toFailure(error: EngramError, url: string): CommandFailure {
  const { kind, detail } = error
  if (kind === 'deadline') return new CommandFailure(`The service at ${url} does not answer in time.`, EXIT.unreachable, { cause: error })
  if (kind === 'unreachable') {
    const reason = reasonOf(error)
    const problem = reason === null ? 'cannot be reached. Is it running? engram dev starts one.' : `cannot be reached: ${reason}.`
    return new CommandFailure(`The service at ${url} ${problem}`, EXIT.unreachable, { cause: error })
  }
  const words = kind === 'unauthorized' ? `${detail}. ENGRAM_TOKEN or --token-file gives the licence token.` : detail
  return new CommandFailure(words, EXITS[kind] ?? EXIT.failed, { cause: error })
}

/** Null if nobody listens there. The platform's generic first words are dropped. */
function reasonOf({ cause }: EngramError): string | null {
  const words = cause instanceof Error ? plainLine(cause.message.replace(/^fetch failed(: )?/, ''), REASON_LENGTH_MAX) : ''
  return words === '' || words.includes('ECONNREFUSED') ? null : words
}

/** Makes sure that this service answers, so that another program there is not taken for one that is slow or empty. */
async function greet(engram: Engram, url: string): Promise<void> {
  const isKnown = await engram.health({ deadlineMs: GREETING_MS_MAX }).then(
    ({ status }: { readonly status?: unknown }) => typeof status === 'string',
    (error: unknown) => {
      if (isEngramError(error) && (error.kind === 'unexpected' || error.kind === 'not_found')) return false
      throw error
    }
  )
  if (!isKnown) throw new CommandFailure(`What answers at ${url} is no Engram service.`, EXIT.unreachable)
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
  if (token.length > TOKEN_LENGTH_MAX || !/^[!-~]+$/.test(token))
    throw usageFailure('The token is malformed: it has to be one word of visible ASCII characters.')
  return token
}

function ownerOf(token: string | undefined): string {
  try {
    const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as { readonly sub?: unknown }
    return typeof claims.sub === 'string' ? claims.sub : ''
  } catch {
    // The service will report what is wrong with the token.
    return ''
  }
}
