/** Tool that searches memories. */
import { Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { text } from '../../http/contract/schemas.js'
import { ask } from '../calls/failures.js'
import { CLOSED, FILTERS, MaxTextChars, MEMORY, type ServiceMemory, SessionArgument, toShown } from './fields.js'
import { sessionPath } from '../calls/service.js'
import { defineTool, READS } from './tool.js'

/** Maximum memories per search, for a model to read. */
const RESULTS_MAX = 50

const DESCRIPTION = `Search the memories of a session by meaning and by words. Changes nothing, so use it as often as you like.
Use it for a question of your own, or to find the hash of a memory to forget.
Do not use it in place of recall at the start of a turn: only recall makes the message part of the conversation.
Results come best first; "score" runs from 0 to 1. An empty list means that nothing relevant is kept.
Example: {"query": "allergies", "top_k": 5}`

const Input = Type.Object(
  {
    query: text({ maxLength: limits.TEXT_LENGTH_MAX, description: 'What to look for, in plain words.' }),
    session_id: SessionArgument,
    top_k: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: RESULTS_MAX,
        default: limits.SEARCH_TOP_K_DEFAULT,
        description: 'Maximum number of results; fewer where texts are long.'
      })
    ),
    ...FILTERS,
    max_text_chars: MaxTextChars
  },
  CLOSED
)

const Output = Type.Object({
  session_id: Type.String(),
  results: Type.Array(Type.Object({ ...MEMORY, score: Type.Number() })),
  retrieval_error: Type.Boolean({ description: 'True if vectors could not be made, so that only words were searched.' })
})

interface Found {
  readonly session_id: string
  readonly results: readonly (ServiceMemory & { readonly score: number })[]
  readonly retrieval_error?: boolean
}

export const search = defineTool({
  name: 'search',
  title: 'Search memories',
  description: DESCRIPTION,
  hints: READS,
  input: Input,
  output: Output,
  async run({ query, session_id, top_k, max_text_chars, ...filter }, context) {
    const { results, ...found } = await ask<Found>(context, {
      method: 'POST',
      path: sessionPath(session_id ?? context.session, '/search'),
      body: { query, top_k, filter }
    })
    return {
      session_id: found.session_id,
      results: toShown(results, max_text_chars, ({ score }) => ({ score })),
      retrieval_error: found.retrieval_error ?? false
    }
  }
})
