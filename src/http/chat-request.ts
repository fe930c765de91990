/** What a chat request says to the memory: its session, its question, where a context may be put. */
import { Type, type Static } from '@sinclair/typebox'
import { TEXT_LENGTH_MAX, USER_ID_LENGTH_MAX } from '../domain/limits.js'
import { textOf, toMemoryText } from './chat-text.js'
import { SessionId, flawOf, isLongerThan, optional } from './schemas.js'

/** Only what the proxy itself reads is checked; the rest is the upstream's to judge. */
export const ChatBody = Type.Object({
  messages: Type.Array(Type.Object({ role: Type.String(), content: Type.Optional(Type.Unknown()) }), {
    minItems: 1,
    description: 'The last one of the user is run.'
  }),
  stream: optional(Type.Boolean({ default: false })),
  session_id: optional(SessionId),
  user: Type.Optional(Type.Unknown({ description: 'Data subject of the turn, when a text of 1 to 128 characters.' }))
})

export type ChatBody = Static<typeof ChatBody>

type Message = ChatBody['messages'][number]

/** The text of the user's last message, as long as a memory may be; null when it has none, as a picture alone has not. */
export function questionOf(messages: readonly Message[]): string | null {
  const last = messages.findLast(({ role }) => role === 'user')
  return toMemoryText(textOf(last?.content, '\n').slice(0, TEXT_LENGTH_MAX))
}

/** How many messages of the caller's own stand before the conversation: instructions, which a context goes after. */
export function instructionCount(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  return first < 0 ? messages.length : first
}

/** The body's `user` where it can name a data subject; undefined for what cannot, which the upstream may still take. */
export function userOf({ user }: ChatBody): string | undefined {
  if (typeof user !== 'string' || user === '' || flawOf(user) !== undefined) return undefined
  return isLongerThan(user, USER_ID_LENGTH_MAX) ? undefined : user
}
