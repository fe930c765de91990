/** Preparation of a session's commands, before their step: sagas, asks to other actors, and the vectors of texts. */
import type { Exchange } from '../../src/domain/commands/coordination-commands.js'
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import { isLexicalModel } from '../../src/domain/similarity/models.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { readTerms, readText, type TextReading } from '../../src/domain/text/reading.js'
import type { HeldInput } from '../../src/domain/session.js'
import { type Term, TERMS_A_PIECE, termsInPieces } from '../../src/domain/text/terms.js'
import { times, vectorsWeight, type Weight } from '../../src/domain/fairness/weight.js'
import type { Embedders } from '../../src/ports.js'
import { askingAnew, askingFor } from '../asking/inner-ask.js'
import type { PrepareMeta } from '../behaviour/behaviour.js'
import { processorOf } from '../scheduling/processor.js'
import type { Room } from '../weight/room.js'
import { embedTexts, embedOrMarkPending, type SplitText, splitTexts } from './embed.js'
import { makeWayFor, partsOf } from './growth.js'
import { type ImportOptions, prepareImport } from './record/imports.js'
import type { SessionState } from './record/state.js'
import type { EmbeddedText, Prepared } from './record/work.js'
import { collectedFindings, type InquiryOptions, referenceProbes, sharedAnswers, sourceState } from './sharing/inquiries.js'
import { carryOut, refuseWhileUntold, type SagaOptions } from './sharing/sagas.js'
import { pendingTexts } from './steps/embed.js'
import { textsToScreen } from './steps/screen.js'
import { actionFor, isAdmitted } from './turn/isolate.js'
import { probes, verification } from './verification.js'

/** Number of copies of a command's vectors that exist at a time: from the embedder, in the step, and in the commit. */
const COPIES = 3

const NO_TEXTS: ReadonlyMap<string, EmbeddedText> = new Map()
const NO_READINGS: ReadonlyMap<string, TextReading> = new Map()

export interface PrepareOptions extends InquiryOptions, ImportOptions {
  readonly monotonicMs: () => number
  readonly embedders: Embedders
}

/** A command under preparation, and its session. */
interface Preparing {
  readonly state: SessionState
  readonly command: SessionCommand
  readonly signal: AbortSignal
  readonly room: Room
  /** Epoch seconds. */
  readonly now: number
}

/** Creates the preparation function for all sessions of a node. */
export function createPreparations(options: PrepareOptions) {
  return (state: SessionState, command: SessionCommand, meta: PrepareMeta): Promise<Prepared> => {
    if (command.type === 'session.delete') refuseWhileUntold(meta)
    const asks = { ask: askingFor(options.ask, meta, state.address), askAnew: askingAnew(options.ask, meta) }
    return prepareCommand({ ...options, ...asks }, { state, command, ...meta })
  }
}

/** Prepares everything that the command's step needs and may not wait for. Does not change this session. */
async function prepareCommand(options: PrepareOptions & SagaOptions, preparing: Preparing): Promise<Prepared> {
  const { state, command, signal, room } = preparing
  const { removals } = state
  const { subject } = state.address
  const inPieces = piecemeal(options, preparing)
  const ended = await carryOut(options, state, command)
  const asked = { removals, ended, shares: new Map<string, number>(), ...(await inquire(options, preparing)) }
  const isScreened = command.type === 'isolation.screen'
  const texts = isScreened ? await inPieces(textsToScreen(state, command, options.clock.now())) : textsOf(state, command, asked)
  const read = async (kept: KeptTerms | null): Promise<ReadonlyMap<string, TextReading>> => {
    const readable = readableTexts(command, texts)
    return readable.length === 0 ? NO_READINGS : inPieces(readTexts(readable, { room, kept }))
  }
  // Commands without texts work without the embedder too: a session can always be read and deleted.
  if (texts.length === 0) {
    const readings = await read(null)
    const counted = command.type === 'isolation.release' ? { wordCounts: await inPieces(countWords(state.held.values(), room)) } : {}
    await makeWayFor(room, { state, command, parts: partsOf({ texts: [], readings, ...counted }) }, inPieces)
    return { embedder: null, texts: NO_TEXTS, readings, shared: [], ...counted, ...asked }
  }
  const { dimension, modelName } = state.head.settings
  const embedder = await options.embedders.get(modelName)
  const split = await inPieces(splitTexts(texts, embedder))
  room.hold(vectorsOnTheWay(split, dimension))
  const terms: KeptTerms = new Map()
  const readings = await read(isLexicalModel(modelName) ? terms : null)
  await makeWayFor(room, { state, command, parts: partsOf({ texts: split, readings }) }, inPieces)
  const how = { dimension, signal, subject, terms, clock: options.clock }
  const embed = (some: readonly SplitText[]) => embedTexts(embedder, some, how)
  const embedded = NEEDS_VECTOR.has(command.type) ? await embed(split) : await embedOrMarkPending(embed, split, dimension)
  const byText = new Map(embedded.map((one) => [one.text, one]))
  const isShared = command.type === 'session.run' && state.ties.memberships.length > 0 && mayLeave(state, byText.get(command.message))
  return { embedder, texts: byText, readings, shared: isShared ? await sharedAnswers(options, state, command) : [], ...asked }
}

/** Interface, Isolation: a message that is held back or blocked is not sent to clusters. */
function mayLeave(state: SessionState, message: EmbeddedText | undefined): boolean {
  return message !== undefined && !message.isPending && isAdmitted(actionFor(state, message).action)
}

/** Commands that fail without the vectors of their texts. */
const NEEDS_VECTOR: ReadonlySet<SessionCommand['type']> = new Set(['anchor.set'])

type Asked = Partial<Pick<Prepared, 'probes' | 'verification' | 'imported' | 'source' | 'collected'>>

/** Collects what the step needs from other actors, and long computations on the session itself. */
async function inquire(options: PrepareOptions, preparing: Preparing): Promise<Asked> {
  const { state, command, signal, room, now } = preparing
  const inPieces = piecemeal(options, preparing)
  switch (command.type) {
    case 'session.verify': {
      const reference = await referenceProbes(options, state, command)
      return { verification: await inPieces(verification({ state, now, services: options, room }, command, reference)) }
    }
    case 'session.probe':
      return { probes: await inPieces(probes({ state, now, services: options, room }, command.testEmbeddings)) }
    case 'session.import':
      return { imported: await prepareImport(options, { state, command, signal, room }) }
    case 'state.transfer':
      return { source: await sourceState(options, state, command) }
    case 'exchange.collect':
      return { collected: await collectedFindings(options, state, command) }
    default:
      return {}
  }
}

/** Returns a function that runs work in pieces, in turns with that of other subjects. */
function piecemeal({ clock }: PrepareOptions, { state, signal }: Preparing): <Result>(work: Pieces<Result>) => Promise<Result> {
  return (work) => processorOf(clock).takePieces(state.address.subject, work, signal)
}

/** Weight of the texts' vectors while the command is under way. */
function vectorsOnTheWay(split: readonly SplitText[], dimension: number): Weight {
  const parts = split.reduce((sum, { partEnds }) => sum + partEnds.length, 0)
  return times(vectorsWeight(dimension, parts), COPIES)
}

/** Bytes of heap of a word while its command is under way: its letters, and its entries among the terms and the tokens. */
const WORD_UNDER_WAY_BYTES = 120

/** Bytes of heap of a kept term, beside its letters. */
const KEPT_TERM_BYTES = 80

/** Terms by text, kept so that the lexical embedder need not tokenise the text again. */
type KeptTerms = Map<string, readonly Term[]>

/** Reads the words of texts. With `kept`, the terms of short texts are kept there; long texts are embedded in parts. */
function* readTexts(
  texts: readonly string[],
  { room, kept }: { readonly room: Room; readonly kept: KeptTerms | null }
): Pieces<ReadonlyMap<string, TextReading>> {
  const readings = new Map<string, TextReading>()
  for (const text of texts) {
    const terms = yield* termsInPieces(text)
    const reading = yield* readTerms(text, terms)
    const isKept = kept !== null && terms.length <= TERMS_A_PIECE
    const words = (reading.counts.size + reading.tokens.size) * WORD_UNDER_WAY_BYTES
    room.hold({ heap: words + (isKept ? terms.length * KEPT_TERM_BYTES : 0), buffers: 0 })
    readings.set(text, reading)
    if (isKept) kept.set(text, terms)
    yield
  }
  return readings
}

/** Counts the distinct words of held inputs, by text. Holds memory for the longest text only, as the step reads one at a time too. */
function* countWords(held: Iterable<HeldInput>, room: Room): Pieces<ReadonlyMap<string, number>> {
  const wordCounts = new Map<string, number>()
  let most = 0
  for (const { text } of [...held]) {
    if (wordCounts.has(text)) continue
    const { counts, tokens } = yield* readText(text)
    wordCounts.set(text, counts.size)
    const words = counts.size + tokens.size
    if (words > most) room.hold({ heap: (words - most) * WORD_UNDER_WAY_BYTES, buffers: 0 })
    most = Math.max(most, words)
    yield
  }
  return wordCounts
}

/** Returns the texts of a command whose words its step needs. */
function readableTexts(command: SessionCommand, texts: readonly string[]): readonly string[] {
  switch (command.type) {
    case 'anchor.set':
    case 'session.dedupCheck':
    case 'isolation.screen':
    // Held inputs are read one by one as they are admitted: the words of all of them may exceed the memory.
    case 'isolation.release':
      return []
    case 'memory.inject':
      return [command.text]
    case 'entity.list':
      return [command.query]
    default:
      return texts
  }
}

/** Returns the texts of a command whose vectors its step needs, each once. */
function textsOf(state: SessionState, command: SessionCommand, { collected = [] }: Asked): string[] {
  switch (command.type) {
    case 'session.embed':
      return pendingTexts(state)
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
      return textsOfExchanges(collected)
    default:
      return []
  }
}

function textsOfExchanges(exchanges: readonly Exchange[]): string[] {
  return [...new Set(exchanges.flatMap(({ question, answer }) => (question === null ? [answer] : [question, answer])))]
}
