/** Preparation of a session's commands, before their step: what they ask other actors, and the words and vectors of their texts. */
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import { isLexicalModel } from '../../src/domain/similarity/models.js'
import type { Pieces } from '../../src/domain/pieces.js'
import type { TextReading } from '../../src/domain/text/reading.js'
import { times, vectorsWeight, type Weight } from '../../src/domain/fairness/weight.js'
import { askingAnew, askingFor } from '../asking/inner-ask.js'
import type { PrepareMeta } from '../behaviour/behaviour.js'
import { processorOf } from '../scheduling/processor.js'
import { definitionOf, type PrepareOptions, type Preparing } from './commands.js'
import { embedTexts, embedOrMarkPending, type SplitText, splitTexts } from './embed.js'
import { knownTexts, makeWayFor } from './growth.js'
import { type KeptTerms, readTexts } from './reading.js'
import type { SessionState } from './record/state.js'
import type { EmbeddedText, Prepared } from './record/work.js'
import { sharedAnswers } from './sharing/inquiries.js'
import { actionFor, isAdmitted } from './turn/isolate.js'

/** Number of copies of a command's vectors that exist at a time: from the embedder, in the step, and in the commit. */
const COPIES = 3

const NO_TEXTS: ReadonlyMap<string, EmbeddedText> = new Map()
const NO_READINGS: ReadonlyMap<string, TextReading> = new Map()

/** Creates the preparation function for all sessions of a node. */
export function createPreparations({ ask, ...others }: PrepareOptions) {
  const processor = processorOf(others.clock)
  return (state: SessionState, command: SessionCommand, meta: PrepareMeta): Promise<Prepared> => {
    const { signal, room, now } = meta
    const { subject } = state.address
    definitionOf(command).refuse?.(meta)
    // The spread comes last: in V8, adding a field to an object made by a spread takes ten times as long and more.
    const options = { ask: askingFor(ask, meta, state.address), askAnew: askingAnew(ask, meta), ...others }
    const inPieces = <Result>(work: Pieces<Result>) => processor.takePieces(subject, work, signal)
    return prepareCommand({ options, state, signal, room, now, inPieces }, command)
  }
}

/** Prepares everything that the command's step needs and may not wait for. Does not change this session. */
async function prepareCommand(preparing: Preparing, command: SessionCommand): Promise<Prepared> {
  const { options, state, signal, room, inPieces } = preparing
  const { removals } = state
  const definition = definitionOf(command)
  const asked = { removals, ended: [], shares: new Map<string, number>(), ...(await definition.inquire?.(preparing, command)) }
  const texts = [...new Set(definition.texts?.(command, state, asked))]
  const readable = definition.words?.(command) ?? texts
  const read = async (kept: KeptTerms | null): Promise<ReadonlyMap<string, TextReading>> =>
    readable.length === 0 ? NO_READINGS : inPieces(readTexts(readable, { room, kept }))
  // Commands without texts work without the embedder too: a session can always be read and deleted.
  if (texts.length === 0) {
    const readings = await read(null)
    await makeWayFor(room, command, { state, texts: knownTexts([], { ...asked, readings }), inPieces })
    return { embedder: null, texts: NO_TEXTS, readings, shared: [], ...asked }
  }
  const { dimension, modelName } = state.head.settings
  const embedder = await options.embedders.get(modelName)
  const split = await inPieces(splitTexts(texts, embedder))
  room.hold(vectorsOnTheWay(split, dimension))
  const terms: KeptTerms = new Map()
  const readings = await read(isLexicalModel(modelName) ? terms : null)
  await makeWayFor(room, command, { state, texts: knownTexts(split, { readings }), inPieces })
  const how = { dimension, signal, subject: state.address.subject, terms, clock: options.clock }
  const embed = (some: readonly SplitText[]) => embedTexts(embedder, some, how)
  const embedded = definition.needsVectors === true ? await embed(split) : await embedOrMarkPending(embed, split, dimension)
  const byText = new Map(embedded.map((one) => [one.text, one]))
  const isShared = command.type === 'session.run' && state.ties.memberships.length > 0 && mayLeave(state, byText.get(command.message))
  return { embedder, texts: byText, readings, shared: isShared ? await sharedAnswers(options, state, command) : [], ...asked }
}

/** Interface, Isolation: a message that is held back or blocked is not sent to clusters. */
function mayLeave(state: SessionState, message: EmbeddedText | undefined): boolean {
  return message !== undefined && !message.isPending && isAdmitted(actionFor(state, message).action)
}

/** Weight of the texts' vectors while the command is under way. */
function vectorsOnTheWay(split: readonly SplitText[], dimension: number): Weight {
  const parts = split.reduce((sum, { partEnds }) => sum + partEnds.length, 0)
  return times(vectorsWeight(dimension, parts), COPIES)
}
