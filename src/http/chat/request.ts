/** What a chat request says to the memory: its session, its question, where a context may be put. */
import { type Static, Type } from '@sinclair/typebox'
import { TEXT_LENGTH_MAX, USER_ID_LENGTH_MAX } from '../../domain/limits.js'
import { beginningOf, isLongerThan } from '../../domain/text/characters.js'
import { flawOf } from '../../domain/text/storable.js'
import { optional, SessionId } from '../contract/schemas.js'
import { textOf, toMemoryText } from './text.js'

/** Only what the proxy itself reads is checked; the rest is the upstream's to judge. */
export const ChatBody = Type.Object(
  {
    messages: Type.Array(Type.Object({ role: Type.String(), content: Type.Optional(Type.Unknown()) }), {
      minItems: 1,
      description: 'The last one of the user is run.'
    }),
    stream: optional(Type.Boolean({ default: false })),
    session_id: optional(SessionId),
    safety_identifier: Type.Optional(Type.Unknown({ description: 'Data subject of the turn, when a text of 1 to 128 characters.' })),
    user: Type.Optional(Type.Unknown({ description: 'Older name of safety_identifier.' }))
  },
  { additionalProperties: true, description: 'Everything else goes to the upstream as it is.' }
)

export type ChatBody = Static<typeof ChatBody>

type Message = ChatBody['messages'][number]

/** The text of the user's last message, as long as a memory may be; null when it has none, as a picture alone has not. */
export function questionOf(messages: readonly Message[]): string | null {
  const last = messages.findLast(({ role }) => role === 'user')
  return toMemoryText(beginningOf(textOf(last?.content, '\n'), TEXT_LENGTH_MAX))
}

/** How many messages of the caller's own stand before the conversation: instructions, which a context goes after. */
export function instructionCount(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first < 0 ? messages.length : first
}

/** Whose turn it is, as far as the body's own fields for it can name a data subject; the upstream may still take what cannot. */
export function userOf({ safety_identifier: identifier, user }: ChatBody): string | undefined {
  return [identifier, user].find((name): name is string => typeof name === 'string' && isUserId(name))
}

function isUserId(name: string): boolean {
  return name !== '' && flawOf(name) === undefined && !isLongerThan(name, USER_ID_LENGTH_MAX)
}
