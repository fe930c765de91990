/**
 * The texts of a chat request that the model would read, for sessions that let only checked inputs through. Anything that is neither plain
 * text nor known to contain none is refused: the model may read a field, role or part that this code does not understand.
 */
import { isObject } from '../../domain/json-object.js'
import { SCREENED_TEXTS_MAX } from '../../domain/limits.js'
import type { Pieces } from '../../domain/pieces.js'
import { ChatProblem } from '../contract/chat-errors.js'
import { isTextPart, isTooLong, PARTS_A_PIECE, textInPieces } from './text.js'

interface ChatInput {
  /** Path of the text, as `messages[0].content`. */
  readonly param: string
  readonly text: string
}

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number'
const isBoolean: Check = (value) => typeof value === 'boolean'
/** A single word of an identifier's length, so not a sentence. */
const isName: Check = (value) => typeof value === 'string' && /^[\w.:/@+-]{1,128}$/.test(value)

/** Fields that say how to answer and contain no input. `messages` are checked one by one. */
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
  stream_options: (value) => isObject(value) && Object.values(value).every(isBoolean),
  response_format: (value) =>
    isObject(value) && Object.keys(value).join() === 'type' && (value['type'] === 'text' || value['type'] === 'json_object'),
  modalities: (value) => Array.isArray(value) && value.every((item) => item === 'text')
}

const ROLES = new Set<unknown>(['system', 'developer', 'user', 'assistant'])

/**
 * Characters that people cannot see but a model may read: control and format characters, tags, private and unassigned ones, variation
 * selectors beyond those of emoji. Joiners are allowed, because some scripts need them.
 */
const UNSEEN = /(?![\t\n\r\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u{e0100}-\u{e01ef}]/u

/**
 * Returns all texts of the request in order, one message per piece. Throws ChatProblem `content_filter` with the path of anything that
 * cannot be checked.
 */
export function* inputsOf(body: Readonly<Record<string, unknown>>): Pieces<ChatInput[]> {
  for (const [name, value] of Object.entries(body)) {
    if (!isNothing(value) && SETTINGS[name]?.(value) !== true) throw heldBack(name)
  }
  const messages = body['messages'] as readonly unknown[]
  if (messages.length > SCREENED_TEXTS_MAX) throw heldBack('messages')
  const inputs: ChatInput[] = []
  for (const [at, message] of messages.entries()) {
    inputs.push(...(yield* inputsOfMessage(message, `messages[${at}]`)))
    yield
  }
  return inputs
}

/** Refusal of an input that isolation withholds from the model. */
export function heldBack(param: string): ChatProblem {
  return new ChatProblem(400, 'The isolation level of the session holds this message back from the model', {
    code: 'content_filter',
    param
  })
}

function* inputsOfMessage(message: unknown, param: string): Pieces<ChatInput[]> {
  if (!isObject(message) || !ROLES.has(message['role'])) throw heldBack(`${param}.role`)
  const { role: _, content, ...rest } = message
  const odd = Object.keys(rest).find((name) => !isNothing(rest[name]))
  if (odd !== undefined) throw heldBack(`${param}.${odd}`)
  const text = yield* textOfContent(content)
  if (text === null || isTooLong(text) || UNSEEN.test(text)) throw heldBack(`${param}.content`)
  return text.trim() === '' ? [] : [{ param: `${param}.content`, text }]
}

/** Returns null for content other than text. Joins parts as the memory does. */
function* textOfContent(content: unknown): Pieces<string | null> {
  if (content === undefined || content === null || typeof content === 'string') return content ?? ''
  if (!Array.isArray(content)) return null
  for (const [at, part] of (content as unknown[]).entries()) {
    if (at % PARTS_A_PIECE === PARTS_A_PIECE - 1) yield
    if (!isTextPart(part) || Object.keys(part).length !== 2) return null
  }
  return yield* textInPieces(content, '\n')
}

/** Null, undefined or empty. */
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function every(check: Check, names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, check]))
}
