/** The chat-completions proxy. */
import type { Reference } from './entry.js'

export const PROXY: Reference = {
  'POST /compat/v1/chat/completions': {
    description:
      'Runs the last user message as a turn, adds its context block to the upstream request as a system message, and stores the answer. With ' +
      '`stream` the events of the upstream are passed through unchanged. The header `X-Session-Id` of the answer has the session id.',
    refusals: {
      400: 'The isolation of the session holds the message back (`content_filter`), or the upstream refuses the request.',
      409: 'The session is full.'
    },
    request: {
      name: 'ChatCompletionRequest',
      example: { model: 'any', session_id: 'anna', messages: [{ role: 'user', content: 'How do I enable 2FA?' }], stream: false }
    },
    answer: { name: 'UpstreamAnswer' },
    streamType: 'text/event-stream'
  },
  'GET /compat/v1/models': {
    description: "The upstream's list of models, unchanged.",
    answer: { name: 'UpstreamAnswer' }
  }
}
