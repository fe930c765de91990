/** The chat-completions proxy. */
import type { Reference } from './entry.js'

export const PROXY: Reference = {
  'POST /compat/v1/chat/completions': {
    description:
      'Runs the last user message, hands its context block to the upstream as a system message, and stores the answer. With `stream` the ' +
      'events of the upstream are passed through as they are. The id of the session comes back in the header `X-Session-Id`.',
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
    description: 'The list of models of the upstream, as it is.',
    answer: { name: 'UpstreamAnswer' }
  }
}
