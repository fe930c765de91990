/** Extracts from a chat request what the memory needs: its session, its question, and where a context may be inserted. */
import { type Static, Type } from '@sinclair/typebox'
import { TEXT_LENGTH_MAX, USER_ID_LENGTH_MAX } from '../../domain/limits.js'
import { beginningOf, isLongerThan } from '../../domain/text/characters.js'
import type { Pieces } from '../../domain/pieces.js'
import { flawOf } from '../../domain/text/storable.js'
import { optional, SessionId } from '../contract/schemas.js'
import { textInPieces, toMemoryText } from './text.js'

const ChatMessage = Type.Object({
  role: Type.String({
    description: 'Who says it: `user`, `assistant`, `system`, `developer`, or any other that the upstream accepts.'
  }),
  content: Type.Optional(
    Type.Unknown({ description: 'What is said: a text, or a list of parts, of which the memory reads those with a `text`.' })
  )
})

/** Checks only what the proxy reads; the rest is left to the upstream. */
export const ChatBody = Type.Object(
  {
    messages: Type.Array(ChatMessage, { minItems: 1, description: 'The conversation. Its last user message is run.' }),
    stream: optional(
      Type.Boolean({ default: false, description: 'True asks for the answer as events, which are passed on as they come.' })
    ),
    session_id: optional(SessionId),
    safety_identifier: Type.Optional(Type.Unknown({ description: 'Data subject of the turn, if it is a text of 1 to 128 characters.' })),
    user: Type.Optional(Type.Unknown({ description: 'Older name of `safety_identifier`.' }))
  },
  {
    additionalProperties: true,
    description: 'Chat completion request. Fields that are not named here are passed to the upstream unchanged.'
  }
)

export type ChatBody = Static<typeof ChatBody>

type Message = ChatBody['messages'][number]

/** Text of the user's last message, truncated to the length of a memory; null if it has none, for example only an image. */
export function* questionOf(messages: readonly Message[]): Pieces<string | null> {
  const last = messages.findLast(({ role }) => role === 'user')
  return toMemoryText(beginningOf(yield* textInPieces(last?.content, '\n'), TEXT_LENGTH_MAX))
}

/** Number of the caller's instructions before the conversation. The context is inserted after them. */
export function instructionCount(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first < 0 ? messages.length : first
}

/** Data subject of the turn, if one of the body's fields for it is valid; the upstream may still accept one that is not. */
export function userOf({ safety_identifier: identifier, user }: ChatBody): string | undefined {
  return [identifier, user].find((name): name is string => typeof name === 'string' && isUserId(name))
}

function isUserId(name: string): boolean {
  return name !== '' && flawOf(name) === undefined && !isLongerThan(name, USER_ID_LENGTH_MAX)
}
