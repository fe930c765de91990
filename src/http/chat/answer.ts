/** Extracts the model's answer from its response: the text of the first choice, once it is complete. */
import type { Pieces } from '../../domain/pieces.js'
import { HttpProblem } from '../contract/problem.js'
import { readJson } from '../wire/json-text.js'
import { createEventReader } from './events.js'
import { isFarTooLong, isRecord, isTooLong, textOf, toMemoryText } from './text.js'

export interface StreamedAnswer {
  push(bytes: Uint8Array): void
  /** The stream has ended. */
  end(): void
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
    const delta = isRecord(choice['delta']) ? choice['delta'] : {}
    text += textOf(delta['content'], '')
    const { finish_reason: reason } = choice
    if (isCall(delta) || NO_ANSWER.has(reason) || isFarTooLong(text)) spoil()
    else if (typeof reason === 'string') state = 'finished'
  }

  const reader = createEventReader({
    event({ name, data }) {
      if (isDone) return
      isDone = data.trim() === '[DONE]'
      if (state !== 'open') return
      if (isDone) {
        state = 'finished'
        return
      }
      const chunk = parsed(data)
      const choice = chunk === null ? null : firstChoice(chunk)
      if (chunk === null || name === 'error' || chunk['error'] != null) spoil()
      else if (choice !== null) takeChoice(choice)
    },
    overflow() {
      if (state === 'open') spoil()
    }
  })

  return {
    push: reader.push,
    end: reader.end,
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
  const choice = !isRecord(response) || response['error'] != null ? null : firstChoice(response)
  const message = choice === null || !isRecord(choice['message']) ? {} : choice['message']
  const text = textOf(message['content'], '\n')
  return isCall(message) || NO_ANSWER.has(choice?.['finish_reason']) || isTooLong(text) ? null : toMemoryText(text)
}

function* parsedInPieces(body: Buffer): Pieces<unknown> {
  try {
    return yield* readJson(body, { isStrict: true, isAnySize: true })
  } catch (error) {
    if (error instanceof HttpProblem) return null
    throw error
  }
}

function firstChoice({ choices }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  if (!Array.isArray(choices)) return null
  return choices.filter(isRecord).find(({ index }) => index === 0 || index === undefined) ?? null
}

function isCall({ tool_calls: tools, function_call: call }: Readonly<Record<string, unknown>>): boolean {
  return (Array.isArray(tools) && tools.length > 0) || isRecord(call)
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
