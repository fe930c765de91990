/** Embedder for models behind an OpenAI-compatible `/embeddings` endpoint. */
import { createDimensionFit } from '../domain/similarity/dimension.js'
import type { DomainError } from '../domain/errors.js'
import { estimatePromptTokens, estimateTokens } from '../domain/text/token-estimate.js'
import type { Clock, Randomness } from '../ports.js'
import { createBatchQueue, TextsFailedError, TextsRefusedError } from './batch-queue.js'
import { orCancelled, unavailable } from './cancellation.js'
import { readEmbeddings } from './http-response.js'
import type { OpenEmbedder } from './open-embedder.js'

interface HttpEmbedderOptions {
  /** Passed to the service unchanged; sessions are pinned to it. */
  readonly modelName: string
  /** The endpoint itself, or its base (`https://host/v1`). A user name and password in it are sent as Basic credentials. */
  readonly url: string
  /** Sent as a bearer token, and nowhere else; takes precedence over credentials in the URL. */
  readonly apiKey?: string
  readonly clock: Clock
  readonly randomness: Randomness
  readonly limits?: Partial<HttpLimits>
}

export interface HttpLimits {
  /** Texts per request: the default limit of text-embeddings-inference (`max-client-batch-size`). */
  readonly batchTextsMax: number
  /** Estimated tokens per request. */
  readonly batchTokensMax: number
  /** Waiting texts: four times the largest bulk request. */
  readonly queueTextsMax: number
  /** Maximum number of requests under way. */
  readonly concurrency: number
  /** Milliseconds from the call to its last vector, retries included. */
  readonly deadlineMs: number
  /** Milliseconds for one request; leaves time for a second and a third within the deadline. */
  readonly attemptDeadlineMs: number
  readonly attemptsMax: number
  /** Bytes of one response: three times the 10 MB of 32 vectors of 16,384 numbers at 20 characters each. */
  readonly responseBytesMax: number
}

const DEFAULT_LIMITS: HttpLimits = {
  batchTextsMax: 32,
  batchTokensMax: 65_536,
  queueTextsMax: 4_096,
  concurrency: 4,
  deadlineMs: 30_000,
  attemptDeadlineMs: 10_000,
  attemptsMax: 4,
  responseBytesMax: 32 * 1024 * 1024
}

/** Tokens of one text: three quarters of 512, the smallest window in common use, since tokens are only estimated here. */
const WINDOW_TOKENS = 384

/** First and longest back-off; doubles each time, drawn uniformly from zero up ("full jitter", AWS Architecture Blog, 2015). */
const BACKOFF_FIRST_MS = 250
const BACKOFF_MAX_MS = 4_000

/** Statuses with which servers refuse a text, such as one that is too long. */
const TEXT_REFUSALS: ReadonlySet<number> = new Set([400, 413, 422])

/** Vectors, or an error with the delay that the server asked for; null when a retry cannot help. */
type Outcome = { readonly vectors: Float32Array[] } | { readonly error: DomainError; readonly retryAfterMs: number | null }

/**
 * Creates the embedder. Batches across sessions; retries 429, 5xx and network errors with back-off (`Retry-After` honoured within the
 * deadline); follows no redirect; bounds the response and validates every number. Every failure is `embedder_unavailable` (`busy` when its
 * queue is full) with a message that contains at most a status.
 */
export function createHttpEmbedder(options: HttpEmbedderOptions): OpenEmbedder {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  let width: number | null = null
  const request = createRequest(options, limits, () => width)

  async function run(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const vectors = await withRetries(() => request(texts, signal), { ...options, limits, signal })
    const found = (vectors[0] as Float32Array).length
    width ??= found
    if (found !== width) throw unavailable('The embedding service changed the width of its vectors')
    return vectors
  }

  const queue = createBatchQueue({ ...limits, run, clock: options.clock })
  return {
    modelName: options.modelName,
    windowTokens: WINDOW_TOKENS,
    countTokens: estimateTokens,
    promptTokens: estimatePromptTokens,
    async embed(texts, { dimension, signal, subject }) {
      const vectors = await queue.submit(texts, signal, subject)
      const fit = createDimensionFit(vectors[0]?.length ?? dimension, dimension)
      return vectors.map(fit)
    },
    close: () => queue.close()
  }
}

function createRequest({ url, apiKey, modelName, clock }: HttpEmbedderOptions, limits: HttpLimits, width: () => number | null) {
  const { endpoint, basic } = endpointOf(url)
  const authorization = apiKey !== undefined ? `Bearer ${apiKey}` : basic
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...(authorization !== null && { authorization }) }

  return async (texts: readonly string[], signal: AbortSignal): Promise<Outcome> => {
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    const stopTimer = clock.after(limits.attemptDeadlineMs, abort)
    signal.addEventListener('abort', abort, { once: true })
    const body = JSON.stringify({ model: modelName, input: texts, encoding_format: 'float' })
    try {
      // 'manual': a redirect would send the texts, and on some hosts the key, to a place that the operator did not name.
      const response = await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual', signal: controller.signal })
      if (response.status !== 200) return await refusal(response, clock)
      const parsed = await readEmbeddings(response, { count: texts.length, width: width(), bytesMax: limits.responseBytesMax })
      return 'vectors' in parsed ? parsed : { error: unavailable(parsed.fault), retryAfterMs: null }
    } catch {
      return { error: unavailable('The embedding service cannot be reached'), retryAfterMs: 0 }
    } finally {
      stopTimer()
      signal.removeEventListener('abort', abort)
    }
  }
}

async function refusal(response: Response, clock: Clock): Promise<Outcome> {
  await response.body?.cancel()
  const hasFailed = response.status >= 500
  const isTransient = response.status === 429 || hasFailed
  const message = `The embedding service answered ${response.status}`
  const ofTexts = TEXT_REFUSALS.has(response.status) ? new TextsRefusedError(message) : null
  return {
    // Some servers answer a text that is too long for them with a server error (llama.cpp: 500).
    error: ofTexts ?? (hasFailed ? new TextsFailedError(message) : unavailable(message)),
    retryAfterMs: isTransient ? retryAfterMs(response.headers.get('retry-after'), clock) : null
  }
}

async function withRetries(
  attempt: () => Promise<Outcome>,
  { clock, randomness, limits, signal }: { clock: Clock; randomness: Randomness; limits: HttpLimits; signal: AbortSignal }
): Promise<Float32Array[]> {
  for (let tried = 1; ; tried++) {
    const outcome = await attempt()
    if ('vectors' in outcome) return outcome.vectors
    const isHopeless = outcome.retryAfterMs === null || outcome.retryAfterMs > limits.deadlineMs
    if (isHopeless || tried >= limits.attemptsMax || signal.aborted) throw outcome.error
    const backoffMs = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** (tried - 1)) * randomness.next()
    await wait(Math.max(outcome.retryAfterMs, backoffMs), clock, signal)
  }
}

async function wait(delayMs: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let stop = (): void => undefined
  const passed = new Promise<void>((resolve) => (stop = clock.after(delayMs, resolve)))
  await orCancelled(passed, signal).finally(() => stop())
}

/** Milliseconds from a `Retry-After` header, which has seconds or an HTTP date (RFC 9110, 10.2.3); 0 when absent or unreadable. */
function retryAfterMs(header: string | null, clock: Clock): number {
  if (header === null) return 0
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Date.parse(header) / 1000 - clock.now()
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : 0
}

/** Splits credentials off the URL, as Basic credentials (RFC 7617): `fetch` rejects a URL that contains them. */
function endpointOf(url: string): { readonly endpoint: string; readonly basic: string | null } {
  const endpoint = new URL(url)
  const path = endpoint.pathname.replace(/(?<!\/)\/+$/, '')
  endpoint.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`
  const { username, password } = endpoint
  if (username === '' && password === '') return { endpoint: endpoint.href, basic: null }
  endpoint.username = endpoint.password = ''
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return { endpoint: endpoint.href, basic: `Basic ${credentials}` }
}
