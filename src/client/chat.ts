/** The chat proxy, for programs without a chat client of their own. */
import { EngramError } from './engram-error.js'
import { piecesOf } from './pieces.js'
import { detailIn, objectIn } from './refusals.js'
import { type CallOptions, JSON_TYPE, type Requests, type Schemas } from './requests.js'
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.js'

export type ChatRequest = Omit<Schemas['ChatCompletionRequest'], 'stream'>

/** The model service's answer, unchanged. */
export interface ChatAnswer {
  readonly body: Readonly<Record<string, unknown>>
  /** Id of the session that remembers the exchange, to continue with. Null where a browser hides the header from another origin's page. */
  readonly session_id: string | null
}

type ChatPart = Readonly<Record<string, unknown>>

export interface ChatStream extends AsyncIterable<ChatPart> {
  readonly session_id: string | null
}

/** Longest silence between two chunks of a model's answer, in milliseconds. */
const SILENT_MS_MAX = 600_000

/** Data of the event that ends a stream. */
const DONE = '[DONE]'

const ANSWER = 'The answer of the model service'

const PATH = '/compat/v1/chat/completions'

export function createChat({ api, repeatable, open, timers }: Requests) {
  const ask = (body: object, options: CallOptions) => {
    return open(
      PATH,
      { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE },
      { ...options, hasToken: true, isRepeatable: false }
    )
  }
  return {
    /** Returns one answer of the model, which got the session's context block. Never retried, because model calls cost money. */
    complete: async (body: ChatRequest, options: CallOptions = {}): Promise<ChatAnswer> => {
      const response = await ask({ ...body, stream: false }, options)
      return { body: objectIn(await response.text(), ANSWER), session_id: response.headers.get('x-session-id') }
    },
    /**
     * Streams the answer in parts. Resolves when the first part may be read. A model service that does not stream yields one part, the
     * whole answer. The iteration rejects when the answer breaks off, after a part with an `error`, and when it ends without `[DONE]` or a
     * `finish_reason` for every choice.
     */
    stream: async (body: ChatRequest, options: CallOptions = {}): Promise<ChatStream> => {
      const response = await ask({ ...body, stream: true }, options)
      const { signal } = options
      return {
        session_id: response.headers.get('x-session-id'),
        async *[Symbol.asyncIterator]() {
          const limits = { silentMs: SILENT_MS_MAX, signal }
          yield* isWhole(response)
            ? given(objectIn(await textOf(piecesOf(response, limits, timers)), ANSWER))
            : partsOf(serverSentEvents(response, limits, timers))
        }
      }
    },
    /** Returns the model service's list of models, unchanged. */
    models: (options?: CallOptions) => repeatable(options, (init) => api.GET('/compat/v1/models', init))
  }
}

/** Rejects when the stream ends early: one that a gateway has cut off ends like any other, and half an answer must not pass for a whole. */
async function* partsOf(events: AsyncIterable<ServerSentEvent>): AsyncGenerator<ChatPart, void, undefined> {
  let hasEnded = false
  /** By index, whether each choice that has begun has its `finish_reason`. A model may write several at once. */
  const finished = new Map<unknown, boolean>()
  for await (const { data } of events) {
    if (data === DONE) hasEnded = true
    else {
      const part = objectIn(data, ANSWER)
      for (const { index, finish_reason } of choicesOf(part)) finished.set(index, finished.get(index) === true || finish_reason != null)
      yield* given(part)
    }
  }
  const isFinished = finished.size > 0 && [...finished.values()].every(Boolean)
  if (!hasEnded && !isFinished) throw brokenOff(null)
}

/** Yields the part. If it holds an error, the answer ends there. */
function* given(part: ChatPart): Generator<ChatPart, void, undefined> {
  yield part
  if (part['error'] != null) throw brokenOff(detailIn(part))
}

function brokenOff(words: string | null): EngramError {
  return new EngramError({ kind: 'unreachable', detail: `The answer broke off${words === null ? '' : ` (${words})`}` })
}

interface Choice {
  readonly index?: unknown
  readonly finish_reason?: unknown
}

function choicesOf({ choices }: ChatPart): readonly Choice[] {
  return Array.isArray(choices) ? choices.filter((choice: Choice | null): choice is Choice => choice !== null) : []
}

function isWhole({ headers }: Response): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '')
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  const texts: string[] = []
  for await (const piece of pieces) texts.push(decoder.decode(piece, { stream: true }))
  return texts.join('')
}
