/** Arguments and results shared by several tools; texts are cut to a length that suits a model. */
import { type SchemaOptions, Type } from '@sinclair/typebox'
import * as limits from '../../domain/limits.js'
import { beginningOf } from '../../domain/text/characters.js'
import { Role, SessionId, text, Tier } from '../../http/contract/schemas.js'

/** Default maximum characters of a memory in a result: a long paragraph. */
const TEXT_CHARS_DEFAULT = 1_000

export const SessionArgument = Type.Optional({
  ...SessionId,
  description: 'Which session (one conversation, project or person) to use: letters, digits, _ and -. Leave it out for the usual one.'
})

export const UserArgument = Type.Optional(
  text({ maxLength: limits.USER_ID_LENGTH_MAX, description: 'The person who said it, so that all of theirs can be found or erased.' })
)

export const MaxTextChars = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.CONTEXT_TEXT_CHARS_MAX,
    default: TEXT_CHARS_DEFAULT,
    description: 'Longer texts are cut to so many characters, and say `truncated`.'
  })
)

/** Filters on memories. */
export const FILTERS = {
  role: Type.Optional({ ...Role, description: 'Only what this side said: user, assistant, or synthetic for what was injected.' }),
  tier: Type.Optional({ ...Tier, description: 'Only memories of this tier.' }),
  user_id: Type.Optional(text({ maxLength: limits.USER_ID_LENGTH_MAX, description: 'Only what was stored under this person.' })),
  since: Type.Optional(Type.Number({ description: 'Only from this time on, in epoch seconds.' })),
  until: Type.Optional(Type.Number({ description: 'Only before this time, in epoch seconds.' }))
}

export const MEMORY = {
  memory_hash: Type.String({ description: 'Names the memory to forget.' }),
  text: Type.String(),
  truncated: Type.Boolean(),
  role: Type.String(),
  tier: Type.String(),
  importance: Type.Number(),
  timestamp: Type.Number({ description: 'Epoch seconds.' }),
  user_id: Type.Union([Type.String(), Type.Null()])
}

/** A memory as the service returns it, reduced to what tools pass on. */
export interface ServiceMemory {
  readonly memory_hash: string
  readonly memory_id: string
  readonly text: string
  readonly role: string
  readonly tier: string
  readonly importance: number
  readonly timestamp: number
  readonly user_id: string | null
}

/** Returns a memory with its text cut to `charsMax` characters. */
export function toShown(memory: ServiceMemory, charsMax: number = TEXT_CHARS_DEFAULT) {
  const { memory_hash, role, tier, importance, timestamp, user_id } = memory
  const shown = beginningOf(memory.text, charsMax)
  return { memory_hash, text: shown, truncated: shown.length < memory.text.length, role, tier, importance, timestamp, user_id }
}

/** Accepts no further arguments. */
export const CLOSED: SchemaOptions = { additionalProperties: false }
