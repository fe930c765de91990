/**
 * What a chat request brings to the model, where a session lets only checked inputs through. Whatever is not known to bring no text, and is
 * no plain text either, is refused: a field, a role or a part that is not understood here may be read over there.
 */
import { SCREENED_TEXTS_MAX } from '../../domain/limits.js'
import { ChatProblem } from '../contract/chat-errors.js'
import { isRecord, isTooLong } from './text.js'

export interface ChatInput {
  /** Where it stands, as `messages[0].content`. */
  readonly param: string
  readonly text: string
}

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number'
const isBoolean: Check = (value) => typeof value === 'boolean'
/** One word of an identifier's length: no sentence. */
const isName: Check = (value) => typeof value === 'string' && /^[\w.:/@+-]{1,128}$/.test(value)

/** Members that say how to answer, and bring nothing to answer to. `messages` are looked at one by one. */
const SETTINGS: Readonly<Record<string, Check>> = {
  messages: Array.isArray,
  ...every(isNumber, [
    'temperature',
    'top_p',
    'n',
    'max_tokens',
    'max_completion_tokens',
    'presence_penalty',
    'frequency_penalty',
    'top_logprobs',
    'seed'
  ]),
  ...every(isBoolean, ['stream', 'logprobs', 'store', 'parallel_tool_calls']),
  ...every(isName, [
    'model',
    'session_id',
    'user',
    'safety_identifier',
    'prompt_cache_key',
    'service_tier',
    'reasoning_effort',
    'verbosity',
    'tool_choice'
  ]),
  stream_options: (value) => isRecord(value) && Object.values(value).every(isBoolean),
  response_format: (value) =>
    isRecord(value) && Object.keys(value).join() === 'type' && (value['type'] === 'text' || value['type'] === 'json_object'),
  modalities: (value) => Array.isArray(value) && value.every((item) => item === 'text')
}

const ROLES = new Set<unknown>(['system', 'developer', 'user', 'assistant'])

/**
 * Characters that nobody sees and a model may read: control and format characters, tags, private and unassigned ones, selectors of variants
 * beyond those of emoji. Joiners stay, which some scripts need.
 */
const UNSEEN = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u{e0100}-\u{e01ef}]/u

/** Every text of the request in its order. Throws ChatProblem `content_filter` with the place of what cannot be checked. */
export function inputsOf(body: Readonly<Record<string, unknown>>): ChatInput[] {
  for (const [name, value] of Object.entries(body)) {
    if (!isNothing(value) && SETTINGS[name]?.(value) !== true) throw heldBack(name)
  }
  const messages = body['messages'] as readonly unknown[]
  if (messages.length > SCREENED_TEXTS_MAX) throw heldBack('messages')
  return messages.flatMap((message, at) => inputsOfMessage(message, `messages[${at}]`))
}

/** The refusal of what isolation keeps from the model. */
export function heldBack(param: string): ChatProblem {
  return new ChatProblem(400, 'The isolation level of the session holds this message back from the model', {
    code: 'content_filter',
    param
  })
}

function inputsOfMessage(message: unknown, param: string): ChatInput[] {
  if (!isRecord(message) || !ROLES.has(message['role'])) throw heldBack(`${param}.role`)
  const { role: _, content, ...rest } = message
  const odd = Object.keys(rest).find((name) => !isNothing(rest[name]))
  if (odd !== undefined) throw heldBack(`${param}.${odd}`)
  const text = textOfContent(content)
  if (text === null || isTooLong(text) || UNSEEN.test(text)) throw heldBack(`${param}.content`)
  return text.trim() === '' ? [] : [{ param: `${param}.content`, text }]
}

/** Null for what is more than text. Parts are joined as the memory joins them. */
function textOfContent(content: unknown): string | null {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const texts = content.map((part: unknown) =>
    isRecord(part) && Object.keys(part).sort().join() === 'text,type' && part['type'] === 'text' ? part['text'] : null
  )
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null
}

/** Left open, or empty. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function every(check: Check, names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, check]))
}
