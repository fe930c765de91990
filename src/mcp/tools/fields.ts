/** Arguments and results shared by several tools; texts are cut to a length that suits a model. */
import { type SchemaOptions, type Static, Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { beginningOf } from '../../domain/text/characters.js'
import { type Memory, Role, SessionId, text, Tier } from '../../http/contract/schemas.js'

/** Default maximum characters of a memory in a result: a long paragraph. */
const TEXT_CHARS_DEFAULT = 1_000

export const SessionArgument = Type.Optional({
  ...SessionId,
  description: 'Session to use (one conversation, project or person): letters, digits, _ and -. Leave it out for the default session.'
})

export const UserArgument = Type.Optional(
  text({
    maxLength: limits.USER_ID_LENGTH_MAX,
    description: 'The person who said it, so that everything from this person can be found or erased.'
  })
)

export const MaxTextChars = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.CONTEXT_TEXT_CHARS_MAX,
    default: TEXT_CHARS_DEFAULT,
    description: 'Maximum characters of each text. Longer texts are cut and marked `truncated`.'
  })
)

/** Maximum characters of the texts of one result: four of the longest that are asked for, and more than a model reads at once. */
const RESULT_CHARS_MAX = 400_000

/** Filters on memories. */
export const FILTERS = {
  role: Type.Optional({ ...Role, description: 'Only memories of this role: user, assistant, or synthetic for injected ones.' }),
  tier: Type.Optional({ ...Tier, description: 'Only memories of this tier.' }),
  user_id: Type.Optional(text({ maxLength: limits.USER_ID_LENGTH_MAX, description: 'Only memories stored under this person.' })),
  since: Type.Optional(Type.Number({ description: 'Only memories from this time on, in epoch seconds.' })),
  until: Type.Optional(Type.Number({ description: 'Only memories before this time, in epoch seconds.' }))
}

export const MEMORY = {
  memory_hash: Type.String({ description: 'Identifies the memory, for example to forget it.' }),
  text: Type.String(),
  truncated: Type.Boolean(),
  role: Type.String(),
  tier: Type.String(),
  importance: Type.Number(),
  timestamp: Type.Number({ description: 'Time of the memory, in epoch seconds.' }),
  user_id: Type.Union([Type.String(), Type.Null()])
}

/** A memory as the service returns it. */
export type ServiceMemory = Static<typeof Memory>

/** Returns the first memories, each with its text cut to `charsMax` characters: at least one, and as many as one result holds. */
export function toShown<Memory extends ServiceMemory, Added extends object = object>(
  memories: readonly Memory[],
  charsMax: number = TEXT_CHARS_DEFAULT,
  added: (memory: Memory) => Added = () => ({}) as Added
) {
  let chars = 0
  const shown = memories.map((memory) => ({ ...shownOf(memory, charsMax), ...added(memory) }))
  const over = shown.findIndex(({ text }, at) => (chars += text.length) > RESULT_CHARS_MAX && at > 0)
  return over < 0 ? shown : shown.slice(0, over)
}

function shownOf({ text, ...memory }: ServiceMemory, charsMax: number) {
  const { memory_hash, role, tier, importance, timestamp, user_id } = memory
  const shown = beginningOf(text, charsMax)
  return { memory_hash, text: shown, truncated: shown.length < text.length, role, tier, importance, timestamp, user_id }
}

/** Accepts no further arguments. */
export const CLOSED: SchemaOptions = { additionalProperties: false }
