/** A running service as commands speak to it: its client, the licence token, and what becomes of a refusal. */
import { readFile } from 'node:fs/promises'
import { createEngram, type Engram } from '../../client/engram.js'
import { type EngramError, type EngramErrorKind, isEngramError } from '../../client/engram-error.js'
import { processEnvironment } from '../../config.js'
import { CommandFailure, EXIT, usageFailure } from '../console/failure.js'

export interface ConnectionOptions {
  readonly url: string
  readonly tokenFile?: string
}

export interface Connection {
  /** Without a slash at its end. */
  readonly url: string
  /** The licence subject that the token names, unverified; empty without a token. */
  readonly owner: string
  readonly engram: Engram
}

/** Milliseconds for a call with its retries: the service answers within a minute, and has a busy caller wait for one. */
const DEADLINE_MS = 300_000

/** For calls in the middle of long work, which is not to end because the service is busy or starts anew. */
export const PATIENT = { retries: 10 } as const

/** Characters of a token file: a licence has some hundreds. */
const TOKEN_LENGTH_MAX = 16_384

/** Runs `work`. Throws CommandFailure for an address or a token file that cannot be used, and for what the service refuses. */
export async function withConnection<Result>(
  { url, tokenFile }: ConnectionOptions,
  work: (service: Connection) => Promise<Result>
): Promise<Result> {
  const base = baseOf(url)
  const token = await readToken(tokenFile)
  const engram = createEngram({
    url: base,
    deadlineMs: DEADLINE_MS,
    // The token is for this service alone.
    fetch: (request) => fetch(request, { redirect: 'error' }),
    ...(token !== undefined && { token })
  })
  try {
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

/** In the service's own words, or that it is away. */
export function toFailure(cause: EngramError, url: string): CommandFailure {
  const { kind, detail } = cause
  if (kind === 'unreachable' || kind === 'deadline') {
    const problem = kind === 'deadline' ? 'does not answer' : 'cannot be reached'
    return new CommandFailure(`The service at ${url} ${problem}. Is it running? engram dev starts one.`, EXIT.unreachable, { cause })
  }
  return new CommandFailure(detail, EXITS[kind] ?? EXIT.failed, { cause })
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
