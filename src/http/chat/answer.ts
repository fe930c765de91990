/** Extracts the model's answer from its response: the text of the first choice, once it is complete. */
import { isObject } from '../../domain/json-object.js'
import type { Pieces } from '../../domain/pieces.js'
import { HttpProblem } from '../contract/problem.js'
import { readJson, type Sieve } from '../wire/json-text.js'
import { createEventReader, type StreamEvent } from './events.js'
import { isFarTooLong, isTooLong, textOf, toMemoryText } from './text.js'

export interface StreamedAnswer {
  push(bytes: Uint8Array): Pieces<void>
  /** The stream has ended. */
  end(): Pieces<void>
  /** Number of characters held. */
  chars(): number
  /** Stops reading and drops what was read: there will be no answer. */
  giveUp(): void
  /** True once the service has announced the end (`[DONE]`). */
  isDone(): boolean
  /**
   * Null while the answer is incomplete, and for good when there cannot be one: the service sent an error, an event that is too large or
   * not JSON, a tool call, more than a memory holds, or no text.
   */
  text(): string | null
}

/** Finish reasons for which the text is no answer: a tool has to be called first, or part of it was withheld. */
const NO_ANSWER = new Set<unknown>(['tool_calls', 'function_call', 'content_filter'])

/**
 * What is read of an answer: what is kept of it takes little, however the rest is made. Ten thousand values are three thousand parts of a
 * text.
 */
const SIEVE: Sieve = {
  fields: new Set([
    ...['error', 'choices', 'index', 'finish_reason', 'delta', 'message', 'content', 'type', 'text'],
    ...['tool_calls', 'function_call']
  ]),
  valuesMax: 10_000
}

/** Characters of an event that are parsed at once; takes below a millisecond. */
const AT_ONCE_CHARS_MAX = 16 * 1024

/** Collects an answer that arrives in events. Holds at most one event and the text. */
export function createStreamedAnswer(): StreamedAnswer {
  let text = ''
  /** `finished`: the first choice is complete; `void`: it never will be. */
  let state: 'open' | 'finished' | 'void' = 'open'
  let isDone = false

  function spoil(): void {
    state = 'void'
    text = ''
  }

  function takeChoice(choice: Readonly<Record<string, unknown>>): void {
    const delta = isObject(choice['delta']) ? choice['delta'] : {}
    text += textOf(delta['content'], '')
    const { finish_reason: reason } = choice
    if (isCall(delta) || NO_ANSWER.has(reason) || isFarTooLong(text)) spoil()
    else if (typeof reason === 'string') state = 'finished'
  }

  function* takeEvent({ name, data }: StreamEvent): Pieces<void> {
    if (isDone) return
    isDone = data.trim() === '[DONE]'
    if (state !== 'open') return
    if (isDone) {
      state = 'finished'
      return
    }
    const chunk = data.length <= AT_ONCE_CHARS_MAX ? parsed(data) : yield* parsedInPieces(Buffer.from(data))
    const choice = isObject(chunk) ? firstChoice(chunk) : null
    if (!isObject(chunk) || name === 'error' || chunk['error'] != null) spoil()
    else if (choice !== null) takeChoice(choice)
  }

  /** Events that are read and not taken yet: those of one push. */
  const events: StreamEvent[] = []
  const reader = createEventReader({
    event: (event) => events.push(event),
    overflow() {
      if (state === 'open') spoil()
    }
  })
  function* takeEvents(): Pieces<void> {
    for (const event of events.splice(0)) yield* takeEvent(event)
  }

  return {
    *push(bytes) {
      reader.push(bytes)
      yield* takeEvents()
    },
    *end() {
      reader.end()
      yield* takeEvents()
    },
    chars: () => text.length + reader.chars(),
    giveUp() {
      spoil()
      reader.stop()
    },
    isDone: () => isDone,
    text: () => (state === 'finished' && !isTooLong(text) ? toMemoryText(text) : null)
  }
}

/**
 * Extracts the answer from a whole response; null as for a streamed one, or if it is not JSON. Parsed in pieces: long responses are full of
 * probabilities and audio.
 */
export function* answerOf(body: Buffer): Pieces<string | null> {
  const response = yield* parsedInPieces(body)
  const choice = !isObject(response) || response['error'] != null ? null : firstChoice(response)
  const message = choice === null || !isObject(choice['message']) ? {} : choice['message']
  const text = textOf(message['content'], '\n')
  return isCall(message) || NO_ANSWER.has(choice?.['finish_reason']) || isTooLong(text) ? null : toMemoryText(text)
}

function* parsedInPieces(body: Buffer): Pieces<unknown> {
  try {
    return yield* readJson(body, { isStrict: true, isAnySize: true, sieve: SIEVE })
  } catch (error) {
    if (error instanceof HttpProblem) return null
    throw error
  }
}

function firstChoice({ choices }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  if (!Array.isArray(choices)) return null
  return choices.filter(isObject).find(({ index }) => index === 0 || index === undefined) ?? null
}

function isCall({ tool_calls: tools, function_call: call }: Readonly<Record<string, unknown>>): boolean {
  return (Array.isArray(tools) && tools.length > 0) || isObject(call)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
