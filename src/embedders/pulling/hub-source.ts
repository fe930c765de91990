/** Source of models on a hub over HTTP: `{hub}/{id}/resolve/{revision}/{file}`, with file details from Hugging Face's headers. */
import { Readable } from 'node:stream'
import type { Clock } from '../../ports.js'
import { CHECKSUM_LIST, type Checksum, type ModelSource, readChecksumList, SourceError, type SourceFile } from './source.js'

interface HubSourceOptions {
  /** Without a trailing slash. */
  readonly hubUrl: string
  /** From `parseModelName`. */
  readonly id: string
  readonly clock: Clock
}

interface Described {
  readonly url: string
  readonly bytes: number
  readonly checksum: Checksum | null
}

/** Redirects followed within the hub, as for renamed models. */
const REDIRECTS_MAX = 5

/** Milliseconds until an answer of the hub begins. */
const ANSWER_MS_MAX = 30_000

/** Maximum bytes of a checksum list. */
const LIST_BYTES_MAX = 1024 * 1024

const MAIN_REVISION = 'main'
const OK = 200
const PARTIAL = 206
const NOT_FOUND = 404
const BUSY = new Set([408, 425, 429, 500, 502, 503, 504])

export function createHubSource({ hubUrl, id, clock }: HubSourceOptions): ModelSource {
  const addressOf = (revision: string, name: string) => `${hubUrl}/${id}/resolve/${revision}/${name}`

  async function ask(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const late = new AbortController()
    const cancel = clock.after(ANSWER_MS_MAX, () => late.abort())
    try {
      return await fetch(url, { ...init, signal: AbortSignal.any([signal, late.signal]) })
    } catch (cause) {
      signal.throwIfAborted()
      throw new SourceError('The hub cannot be reached.', { isPassing: true, cause })
    } finally {
      cancel()
    }
  }

  /** Describes a file from the hub's own answer, without following it to other hosts: only the hub knows the checksum. */
  async function describe(name: string, revision: string, signal: AbortSignal): Promise<Described & { readonly revision: string }> {
    let url = addressOf(revision, name)
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const response = await ask(url, { method: 'HEAD', redirect: 'manual', headers: { 'accept-encoding': 'identity' } }, signal)
      const { status, headers } = response
      const location = headers.get('location')
      const isElsewhere = location !== null && status >= 300 && status < 400
      const isLinked = headers.has('x-linked-etag')
      if (isElsewhere && !isLinked && new URL(location, url).origin === new URL(url).origin) {
        url = new URL(location, url).href
        continue
      }
      if (status !== OK && !isElsewhere) throw refusal(status, name)
      const bytes = Number(headers.get('x-linked-size') ?? headers.get('content-length') ?? Number.NaN)
      if (!Number.isSafeInteger(bytes)) throw new SourceError(`The hub does not say how large ${name} is.`, { isPassing: false })
      const commit = headers.get('x-repo-commit')
      const pinned = commit !== null && /^[0-9a-f]{40}$/.test(commit) ? commit : revision
      return { url: url.replace(`/resolve/${revision}/`, `/resolve/${pinned}/`), bytes, checksum: toChecksum(headers), revision: pinned }
    }
    throw new SourceError('The hub sends in a circle.', { isPassing: false })
  }

  async function readList(revision: string, signal: AbortSignal): Promise<ReadonlyMap<string, Checksum>> {
    const response = await ask(addressOf(revision, CHECKSUM_LIST), {}, signal)
    const isSmall = Number(response.headers.get('content-length') ?? 0) <= LIST_BYTES_MAX
    if (response.status === OK && isSmall) return readChecksumList(await response.text())
    await response.body?.cancel()
    return new Map()
  }

  function toFile(name: string, { url, bytes, checksum }: Described): SourceFile {
    return {
      name,
      bytes,
      checksum,
      async read(start, signal) {
        const headers = { 'accept-encoding': 'identity', ...(start > 0 && { range: `bytes=${String(start)}-` }) }
        const response = await ask(url, { headers }, signal)
        const { status, body } = response
        if ((status !== OK && status !== PARTIAL) || body === null) {
          await body?.cancel()
          throw refusal(status, name)
        }
        return { start: status === PARTIAL ? start : 0, body: Readable.fromWeb(body) }
      }
    }
  }

  return {
    async find(names, signal) {
      const files: SourceFile[] = []
      // All files must be of one revision: another may be published between two requests.
      let revision = MAIN_REVISION
      let list: ReadonlyMap<string, Checksum> | undefined
      for (const name of names) {
        const described = await describe(name, revision, signal)
        revision = described.revision
        list ??= await readList(revision, signal)
        files.push(toFile(name, { ...described, checksum: list.get(name) ?? described.checksum }))
      }
      return files
    }
  }
}

function refusal(status: number, name: string): SourceError {
  if (status === NOT_FOUND) return new SourceError(`The hub has no ${name} of this model.`, { isPassing: false })
  return new SourceError(`The hub answered ${String(status)} for ${name}.`, { isPassing: BUSY.has(status) })
}

/** Large files have their SHA-256, small ones their git blob hash. */
function toChecksum(headers: Headers): Checksum | null {
  const tag = (headers.get('x-linked-etag') ?? headers.get('etag') ?? '').replace(/^W\//, '').replaceAll('"', '')
  if (/^[0-9a-f]{64}$/.test(tag)) return { algorithm: 'sha256', hex: tag }
  return /^[0-9a-f]{40}$/.test(tag) ? { algorithm: 'git', hex: tag } : null
}
