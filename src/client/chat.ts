/** The chat proxy, for programs without a chat client of their own. */
import { EngramError } from './engram-error.js'
import type { CallOptions, Requests, Schemas } from './requests.js'
import { serverSentEvents } from './server-sent-events.js'

export type ChatRequest = Omit<Schemas['ChatCompletionRequest'], 'stream'>

/** What the upstream said, as it said it. */
export interface ChatAnswer {
  readonly body: Readonly<Record<string, unknown>>
  /** Of the session that remembers it: to go on with. Null where a page of another origin may not read it. */
  readonly session_id: string | null
}

export interface ChatStream extends AsyncIterable<Readonly<Record<string, unknown>>> {
  readonly session_id: string | null
}

/** Milliseconds between two pieces of a model's answer. */
const SILENT_MS_MAX = 600_000

const PATH = '/compat/v1/chat/completions'

export function createChat({ api, repeatable, open, timers }: Requests) {
  const ask = (body: object, options: CallOptions) => {
    const headers = { 'content-type': 'application/json' }
    return open(PATH, { method: 'POST', body: JSON.stringify(body), headers }, { ...options, hasToken: true, isRepeatable: false })
  }
  return {
    /** One answer of the model, with the memories of the session before the question. Is not tried again: models cost. */
    complete: async (body: ChatRequest, options: CallOptions = {}): Promise<ChatAnswer> => {
      const response = await ask({ ...body, stream: false }, options)
      return { body: objectIn(await response.text()), session_id: response.headers.get('x-session-id') }
    },
    /** The same in pieces. Resolves when the first one may be read. */
    stream: async (body: ChatRequest, options: CallOptions = {}): Promise<ChatStream> => {
      const response = await ask({ ...body, stream: true }, options)
      const { signal } = options
      return {
        session_id: response.headers.get('x-session-id'),
        async *[Symbol.asyncIterator]() {
          for await (const { data } of serverSentEvents(response, { silentMs: SILENT_MS_MAX, signal }, timers)) {
            if (data !== '[DONE]') yield objectIn(data)
          }
        }
      }
    },
    /** The upstream's models, as it lists them. */
    models: (options?: CallOptions) => repeatable(options, (init) => api.GET('/compat/v1/models', init))
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    throw new EngramError({ kind: 'unexpected', detail: 'The model service answered with something that is no JSON' })
  }
}
