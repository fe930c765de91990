/** The slow part of a command, done before its step: turning texts into vectors, asking another session. */
import { DomainError } from '../../src/domain/errors.js'
import type { Probe, VerifySession } from '../../src/domain/control-commands.js'
import type { SessionCommand } from '../../src/domain/session-commands.js'
import { splitText } from '../../src/domain/text/split.js'
import type { Clock, Embedder, Embedders } from '../../src/ports.js'
import type { Ask } from '../ask.js'
import type { SessionState } from './state.js'
import type { EmbeddedText, Prepared } from './work.js'

/** Parts embedded before other work gets its turn: some 3 ms of the lexical embedder for short ones. */
const PARTS_A_TURN = 32

/** For the answer of a reference session; the command's own deadline is longer. */
const REFERENCE_MS_MAX = 10_000

export interface PrepareOptions {
  readonly embedders: Embedders
  readonly ask: Ask
  readonly clock: Clock
}

/** Everything that the command's step needs and may not wait for. Changes nothing. */
export async function prepareCommand(
  options: PrepareOptions,
  { state, command, signal }: { state: SessionState; command: SessionCommand; signal: AbortSignal },
): Promise<Prepared> {
  const reference = command.type === 'session.verify' ? await referenceProbes(options.ask, state, command) : null
  const texts = textsOf(command)
  // What needs no vector works without the model too: a session can always be read and deleted.
  if (texts.length === 0) return { embedder: null, texts: new Map(), reference }
  const { dimension, modelName } = state.head.settings
  const embedder = await options.embedders.get(modelName)
  const embedded = await embedTexts(embedder, texts, { dimension, signal, clock: options.clock })
  return { embedder, texts: new Map(embedded.map((one) => [one.text, one])), reference }
}

/** Splits each text to the embedder's window and embeds the parts, some at a time. Same order as `texts`. */
async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  { dimension, signal, clock }: { readonly dimension: number; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<EmbeddedText[]> {
  const ends = texts.map((text) => splitText(text, embedder))
  const parts = texts.flatMap((text, at) => partsOf(text, ends[at] ?? []))
  const vectors: Float32Array[] = []
  for (let at = 0; at < parts.length; at += PARTS_A_TURN) {
    if (at > 0) await new Promise<void>((resolve) => clock.after(0, resolve))
    vectors.push(...(await embedder.embed(parts.slice(at, at + PARTS_A_TURN), { dimension, signal })))
  }
  let next = 0
  return texts.map((text, at) => {
    const partEnds = ends[at] ?? []
    const own = new Float32Array(partEnds.length * dimension)
    partEnds.forEach((_, part) => own.set(vectors[next++] as Float32Array, part * dimension))
    return { text, partEnds, vectors: own }
  })
}

function partsOf(text: string, ends: readonly number[]): string[] {
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end))
}

async function referenceProbes(ask: Ask, state: SessionState, command: VerifySession): Promise<readonly Probe[] | null> {
  const { referenceSessionId: id, testEmbeddings } = command
  if (id === undefined) return null
  try {
    const answer = await ask({ kind: 'session', subject: state.address.subject, id }, { type: 'session.probe', testEmbeddings }, { deadlineMs: REFERENCE_MS_MAX })
    return answer.probes
  } catch (error) {
    if (error instanceof DomainError && error.code === 'session_missing') throw new DomainError('session_missing', 'Reference session not found')
    throw error
  }
}

/** The texts of a command that its step needs vectors of, each once. */
function textsOf(command: SessionCommand): string[] {
  switch (command.type) {
    case 'session.run':
      return [...new Set([command.message, ...(command.response === undefined ? [] : [command.response])])]
    case 'session.store':
      return [command.response]
    case 'session.dedupCheck':
      return [command.text]
    case 'session.search':
      return command.query === undefined ? [] : [command.query]
    case 'anchor.set':
      return command.text === undefined ? [] : [command.text]
    case 'memory.inject':
      return command.embedding === undefined ? [command.text] : []
    case 'memory.ingest':
      return [...new Set(command.memories.map((memory) => memory.text))]
    default:
      return []
  }
}
