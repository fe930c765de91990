/** A turn with the model behind the chat proxy: prints its answer as it streams, and what the memory contributed. */
import type { Engram, EngramSession } from '../../client/engram.js'
import { isEngramError } from '../../client/engram-error.js'
import type { CallOptions, Schemas } from '../../client/requests.js'
import { CommandFailure, EXIT } from '../console/failure.js'
import type { Output } from '../console/output.js'
import { plainLine, plainLines } from '../console/plain-text.js'
import { driftWords, type Turn } from './memory-turn.js'

/** Milliseconds that chat clients wait for a model's first output. */
const MODEL_BEGINS_MS_MAX = 600_000

const MEMORIES_SHOWN = 3

/** Maximum characters of a memory on one line. */
const LINE_LENGTH = 120

/** A part of an answer. A model service that does not stream sends one part with the whole message. */
interface Part {
  readonly choices?: readonly { readonly delta?: Message; readonly message?: Message }[]
}

interface Message {
  readonly content?: string | null
}

interface Model {
  readonly engram: Engram
  readonly name: string
}

/**
 * The proxy returns only the model's answer. So the memories shown come from a search for the message before it is sent, and the drift is
 * read from the session afterwards.
 */
export async function showAnswer({ session, text, isJson, signal }: Turn, { engram, name }: Model, output: Output): Promise<void> {
  const memories = await memoriesFor(text, session, { signal })
  if (!isJson) for (const memory of memories) output.note(output.paint('dim', memoryWords(memory)))
  const messages = [{ role: 'user', content: text }]
  const parts = await engram.chat.stream({ model: name, session_id: session.id, messages }, { signal, deadlineMs: MODEL_BEGINS_MS_MAX })
  const texts: string[] = []
  try {
    for await (const part of parts) {
      const told = textIn(part)
      texts.push(told)
      if (!isJson) output.part(plainLines(told))
    }
  } catch (error) {
    // The service was reached; only the model's answer broke off.
    const isBroken = isEngramError(error) && error.kind === 'unreachable'
    throw isBroken ? new CommandFailure(`${error.detail}.`, EXIT.failed, { cause: error }) : error
  } finally {
    if (!isJson) output.line('')
  }
  const { drift_score, drift_threshold, drift_phase } = await session.metrics({ signal })
  const drift = { drift_score, drift_detected: drift_score >= drift_threshold, drift_phase }
  if (isJson) output.json({ session_id: session.id, answer: texts.join(''), memories, ...drift })
  else if (drift.drift_detected) output.note(driftWords(drift, output.paint))
}

/** Empty for a session that does not exist yet. */
async function memoriesFor(query: string, session: EngramSession, options: CallOptions): Promise<Schemas['SearchResult'][]> {
  try {
    return (await session.search({ query, top_k: MEMORIES_SHOWN }, options)).results
  } catch (error) {
    if (isEngramError(error) && error.kind === 'not_found') return []
    throw error
  }
}

function memoryWords({ score, role, text }: Schemas['SearchResult']): string {
  return `[${score.toFixed(2)}] ${role}: ${plainLine(text, LINE_LENGTH)}`
}

/** Empty for a part with an error, after which the stream rejects. */
function textIn(part: Part): string {
  const [choice] = part.choices ?? []
  return (choice?.delta ?? choice?.message)?.content ?? ''
}
