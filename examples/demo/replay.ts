/** Sends a conversation through the service as a client would, turn by turn. */
import { performance } from 'node:perf_hooks'
import type { Turn } from '../conversation/turn.js'

export interface Target {
  /** Without a slash at its end. */
  readonly url: string
  readonly token: string
}

/** What one call of `/v1/run` answered, as far as the demo shows it. */
export interface RunAnswer {
  readonly context: string
  readonly short_circuit: boolean
  readonly drift_score: number
  readonly drift_detected: boolean
  readonly drift_phase: 'stable' | 'shifting' | 'drifted'
  readonly phase: string
}

export interface TurnResult {
  /** From 1. */
  readonly number: number
  readonly turn: Turn
  /** Whether the topic differs from the turn before it. */
  readonly isTopicChange: boolean
  readonly answer: RunAnswer
  /** Round trip of the call as the client sees it, in milliseconds. */
  readonly latencyMs: number
  /** Memories in the context block. */
  readonly hits: number
  readonly contextTokens: number
  /** What it would take to send every earlier question and answer instead. */
  readonly historyTokens: number
}

/** Interface, Context block: the estimate that is used without a tokenizer, for both sides of the comparison. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Yields one result a turn, in order. The answer to a turn travels with the next call, as the interface
 * means it; after a short circuit there is none, since the client had no reason to ask its model.
 * Throws when the service answers anything but 200.
 */
export async function* replay(target: Target, turns: readonly Turn[]): AsyncGenerator<TurnResult> {
  const sessionId = 'demo'
  let response: string | undefined
  let historyTokens = 0
  for (const [index, turn] of turns.entries()) {
    const startedMs = performance.now()
    const answer = (await post(target, '/v1/run', { session_id: sessionId, message: turn.user, response })) as RunAnswer
    const latencyMs = performance.now() - startedMs
    const previous = turns[index - 1]
    yield {
      number: index + 1,
      turn,
      isTopicChange: previous !== undefined && previous.topic !== turn.topic,
      answer,
      latencyMs,
      hits: [...answer.context.matchAll(/^ +\d+\. \[/gm)].length,
      contextTokens: toTokens(answer.context),
      historyTokens
    }
    response = answer.short_circuit ? undefined : turn.assistant
    historyTokens += toTokens(turn.user) + toTokens(turn.assistant)
  }
  if (response !== undefined) await post(target, '/v1/store', { session_id: sessionId, response })
}

async function post({ url, token }: Target, path: string, body: object): Promise<unknown> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

function toTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}
