/** The slow part of a command, done before its step: turning texts into vectors, asking other actors. */
import type { Exchange } from '../../src/domain/coordination-commands.js'
import { isDomainError } from '../../src/domain/errors.js'
import type { SessionCommand } from '../../src/domain/session-commands.js'
import { splitText } from '../../src/domain/text/split.js'
import { times, vectorsWeight } from '../../src/domain/weight.js'
import type { Clock, Embedder, Embedders } from '../../src/ports.js'
import type { Pieces } from '../pieces.js'
import { processorOf } from '../processor.js'
import type { Room } from '../weight/room.js'
import { refuseWhenKept, takeLeave } from './departure.js'
import { prepareImport, type ImportOptions } from './imports.js'
import { collectedFindings, referenceProbes, sharedAnswers, sourceState, type InquiryOptions } from './inquiries.js'
import { actionFor, isAdmitted } from './isolate.js'
import type { SessionState } from './state.js'
import { pendingTexts } from './steps/embed.js'
import { textsToScreen } from './steps/screen.js'
import { probes, verification } from './verification.js'
import { makeWayFor } from './weight.js'
import type { EmbeddedText, Prepared } from './work.js'

/** How often the vectors of a command are there for a while: as the embedder made them, as the step takes them, and in the commit. */
const COPIES = 3

const NO_TEXTS: ReadonlyMap<string, EmbeddedText> = new Map()

/** Parts embedded before the next subject may take its turn: some 3 ms of the lexical embedder for short ones. */
const PARTS_A_TURN = 32

export interface PrepareOptions extends InquiryOptions, ImportOptions {
  readonly monotonicMs: () => number
  readonly embedders: Embedders
}

/** Everything that the command's step needs and may not wait for. Changes nothing here. */
export async function prepareCommand(
  options: PrepareOptions,
  { state, command, signal, room, now }: { state: SessionState; command: SessionCommand; signal: AbortSignal; room?: Room | undefined; now: number },
): Promise<Prepared> {
  const { removals } = state
  const asked = await inquire(options, { state, command, signal, room, now })
  const texts = textsFor(options, state, { command, asked })
  // What needs no vector works without the model too: a session can always be read and deleted.
  if (texts.length === 0) {
    if (room !== undefined) await makeWayFor(room, state, command, NO_TEXTS)
    return { embedder: null, texts: NO_TEXTS, removals, ...asked }
  }
  const { dimension, modelName } = state.head.settings
  const embedder = await options.embedders.get(modelName)
  const { subject } = state.address
  const split = await processorOf(options.clock).take(subject, () => texts.map((text) => ({ text, partEnds: splitText(text, embedder) })))
  if (room !== undefined) await takeRoom(room, { state, command, split })
  const embed = (some: readonly SplitText[]) => embedTexts(embedder, some, { dimension, signal, subject, clock: options.clock })
  const embedded = NEEDS_VECTOR.has(command.type) ? await embed(split) : await orPending(embed, split, dimension)
  const prepared = { embedder, texts: new Map(embedded.map((one) => [one.text, one])), removals, ...asked }
  if (command.type !== 'session.run') return prepared
  const message = prepared.texts.get(command.message)
  // Interface, Isolation: what is held back or blocked goes nowhere.
  if (message === undefined || message.isPending || !isAdmitted(actionFor(state, message).action)) return prepared
  return { ...prepared, shared: await sharedAnswers(options, state, command) }
}

/** Commands whose texts are nothing without their vectors. */
const NEEDS_VECTOR: ReadonlySet<SessionCommand['type']> = new Set(['anchor.set'])

/**
 * The texts with zeros for their vectors where the model is there and does not answer, or refuses one: the others then have theirs. A
 * queue that is full, or a deadline, still refuses.
 */
async function orPending(
  embed: (texts: readonly SplitText[]) => Promise<EmbeddedText[]>,
  texts: readonly SplitText[],
  dimension: number,
): Promise<EmbeddedText[]> {
  try {
    return await embed(texts)
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'embedder_unavailable') throw error
  }
  if (texts.length === 1) return texts.map((one) => ({ ...one, vectors: new Float32Array(one.partEnds.length * dimension), isPending: true }))
  // A model that has just failed answers these at once.
  const embedded: EmbeddedText[] = []
  for (const one of texts) embedded.push(...(await orPending(embed, [one], dimension)))
  return embedded
}

type Asked = Partial<Pick<Prepared, 'probes' | 'verification' | 'imported' | 'source' | 'collected'>>

/** What the command's step has to know from other actors, or of the session itself where that takes long, or has to tell them first. */
async function inquire(options: PrepareOptions, { state, command, signal, room, now }: { state: SessionState; command: SessionCommand; signal: AbortSignal; room: Room | undefined; now: number }): Promise<Asked> {
  const inPieces = <Result>(work: Pieces<Result>): Promise<Result> => processorOf(options.clock).takePieces(state.address.subject, work, signal)
  switch (command.type) {
    case 'session.verify': {
      const reference = await referenceProbes(options, state, command)
      return { verification: await inPieces(verification({ state, now, services: options }, command, reference)) }
    }
    case 'session.probe':
      return { probes: await inPieces(probes({ state, now, services: options }, command.testEmbeddings)) }
    case 'session.import':
      return { imported: await prepareImport(options, { state, command, signal, room }) }
    case 'state.transfer':
      return { source: await sourceState(options, state, command) }
    case 'exchange.collect':
      return { collected: await collectedFindings(options, state, command) }
    case 'session.delete':
      if (command.isByOwner !== true) await refuseWhenKept(options, state)
      await takeLeave(options, state)
      return {}
    default:
      return {}
  }
}

type SplitText = Pick<EmbeddedText, 'text' | 'partEnds'>

/** Sees to it that the texts' vectors, and what the command leaves of them, find room before any is made. */
async function takeRoom(room: Room, { state, command, split }: { state: SessionState; command: SessionCommand; split: readonly SplitText[] }): Promise<void> {
  const parts = split.reduce((sum, { partEnds }) => sum + partEnds.length, 0)
  room.hold(times(vectorsWeight(state.head.settings.dimension, parts), COPIES))
  await makeWayFor(room, state, command, new Map(split.map((one) => [one.text, one])))
}

/** Embeds the parts of each text, some at a time. Same order as `texts`. */
async function embedTexts(
  embedder: Embedder,
  texts: readonly SplitText[],
  { clock, ...how }: Required<Parameters<Embedder['embed']>[1]> & { readonly clock: Clock },
): Promise<EmbeddedText[]> {
  const { subject, dimension } = how
  const processor = processorOf(clock)
  const parts = texts.flatMap(({ text, partEnds }) => partsOf(text, partEnds))
  const vectors: Float32Array[] = []
  for (let at = 0; at < parts.length; at += PARTS_A_TURN) {
    const some = parts.slice(at, at + PARTS_A_TURN)
    vectors.push(...(await processor.take(subject, () => embedder.embed(some, how))))
  }
  let next = 0
  return texts.map(({ text, partEnds }) => {
    const own = new Float32Array(partEnds.length * dimension)
    partEnds.forEach((_, part) => own.set(vectors[next++] as Float32Array, part * dimension))
    return { text, partEnds, vectors: own }
  })
}

function partsOf(text: string, ends: readonly number[]): string[] {
  return ends.map((end, at) => text.slice(at === 0 ? 0 : ends[at - 1], end))
}

function textsFor({ clock }: PrepareOptions, state: SessionState, { command, asked }: { command: SessionCommand; asked: Asked }): string[] {
  if (command.type === 'isolation.screen') return textsToScreen(state, command, clock.now())
  return command.type === 'session.embed' ? pendingTexts(state) : textsOf(command, asked)
}

/** The texts of a command that its step needs vectors of, each once. */
function textsOf(command: SessionCommand, { collected }: Asked): string[] {
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
    case 'exchange.match':
      return [command.message]
    case 'exchange.learn':
      return textsOfExchanges(command.exchanges)
    case 'exchange.collect':
      return textsOfExchanges(collected ?? [])
    default:
      return []
  }
}

function textsOfExchanges(exchanges: readonly Exchange[]): string[] {
  return [...new Set(exchanges.flatMap(({ question, answer }) => (question === null ? [answer] : [question, answer])))]
}
