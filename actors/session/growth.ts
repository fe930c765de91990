/** Upper bound on what a command adds to a session's record, and the refusal where there is no room for it. */
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import type { Entity, HeldInput } from '../../src/domain/session.js'
import type { TextReading } from '../../src/domain/text/reading.js'
import { minus, plus, sumOf, vectorsWeight, type Weight, WEIGHTLESS, weightOf } from '../../src/domain/fairness/weight.js'
import { newMemoryWeight } from '../../src/domain/fairness/session-weight.js'
import { searchableWeight } from '../../src/domain/words/entity-search.js'
import type { Room } from '../weight/room.js'
import { createTwins, type GivenMemory } from './recall/twins.js'
import { MEMORY, PACKED, STATS } from './record/head.js'
import type { SessionState } from './record/state.js'
import { type CountedWords, newText, type ReadWords } from './record/weight.js'
import type { EmbeddedText } from './record/work.js'
import type { SplitText } from './embed.js'
import { halvesOf } from './steps/exchange.js'

type Parted = Pick<EmbeddedText, 'partEnds'> & { readonly words?: CountedWords | undefined }

/** Texts of a command with their parts, and with their words where they have been read. */
type Parts = ReadonlyMap<string, Parted>

/** Collects what is known of the texts of a command before its step. */
export function partsOf({
  texts,
  readings,
  wordCounts = []
}: {
  readonly texts: Iterable<SplitText>
  readonly readings: ReadonlyMap<string, TextReading>
  /** Number of distinct words of texts that were read without keeping their words. */
  readonly wordCounts?: Iterable<readonly [string, number]> | undefined
}): Parts {
  const parts = new Map<string, Parted>()
  for (const [text, size] of wordCounts) parts.set(text, { partEnds: [text.length], words: { counts: { size } } })
  for (const [text, words] of readings) parts.set(text, { partEnds: [text.length], words })
  for (const { text, partEnds } of texts) parts.set(text, { partEnds, words: readings.get(text) })
  return parts
}

/**
 * Upper bound on what a command adds to its session's record, as far as known before its step. With `isRead` false it is coarse: a text
 * counts as many words as its letters could form, and is not looked up, so that every text counts as new.
 */
export function* growthOf(state: SessionState, command: SessionCommand, parts: Parts, isRead: boolean): Pieces<Weight> {
  const added = yield* addedBy(state, command, parts, isRead)
  return added === WEIGHTLESS ? added : plus(added, { heap: state.corpus.spreadBytes(), buffers: 0 })
}

/** Upper bound on what the command itself adds. Words held already may take more too: see `Corpus.spreadBytes`. */
function* addedBy(state: SessionState, command: SessionCommand, parts: Parts, isRead: boolean): Pieces<Weight> {
  const { dimension } = state.head.settings
  const memory = (text: string): Weight =>
    newMemoryWeight(newText(text, parts.get(text)?.partEnds.length ?? 1, { isRead, words: parts.get(text)?.words }), dimension)
  function* unknown(given: readonly GivenMemory[]): Pieces<Weight> {
    // At time 0 none has expired: the step removes an expired memory that is given again, which makes up for the new one.
    const counted = isRead ? yield* createTwins({ state, now: 0 }).unknown(given) : given
    return sumOf(counted.map(({ text }) => memory(text)))
  }
  const embedding = vectorsWeight(dimension, 1)
  switch (command.type) {
    case 'session.run':
      return plus(ROW, ...[command.message, ...(command.response === undefined ? [] : [command.response])].map(memory))
    case 'session.store':
      return memory(command.response)
    case 'memory.inject':
      return memory(command.text)
    case 'memory.ingest':
      return yield* unknown(command.memories)
    case 'exchange.learn':
      return yield* unknown(command.exchanges.flatMap(halvesOf))
    case 'exchange.collect':
      return sumOf([...parts.keys()].map(memory))
    case 'anchor.set':
      return plus(embedding, weightOf(command.text ?? ''), ROW)
    case 'trigger.set':
      return plus(command.embedding === undefined ? WEIGHTLESS : embedding, weightOf(command.keyword ?? ''), ROW)
    case 'isolation.set': {
      const count = command.exclusionEmbeddings.length + command.allowlistEmbeddings.length
      return minus({ heap: VECTOR_HEAP * count, buffers: embedding.buffers * count }, weightOf(state.isolation))
    }
    case 'isolation.release':
      return sumOf([...state.held.values()].map((input) => admittedWeight(input, { isRead, words: parts.get(input.text)?.words })))
    case 'entity.put':
      return minus(entityWeight({ context: null, ...command }), entityWeight(state.literals.get(command.key)))
    case 'state.blend':
    case 'state.transfer':
      return plus(embedding, ROW)
    default:
      return WEIGHTLESS
  }
}

function entityWeight(entity: Pick<Entity, 'key' | 'value' | 'context'> | undefined): Weight {
  return entity === undefined ? WEIGHTLESS : plus(ROW, weightOf({ ...entity }), searchableWeight(entity))
}

/** Bytes of heap of a small row: names, numbers, and its map entries. */
const ROW: Weight = { heap: 600, buffers: 0 }
const VECTOR_HEAP = 200

/** A command, its session, and what is known of its texts. */
interface Growing {
  readonly state: SessionState
  readonly command: SessionCommand
  readonly parts: Parts
}

/**
 * Throws if there is no room for what the command adds. Texts are read for their words, and looked up, only where the coarse bound does not
 * fit: that takes as long as indexing them.
 */
export function* refuseWithoutRoom(room: Room, { state, command, parts }: Growing): Pieces<void> {
  const freed = freedBy(room, command)
  if (room.fits(minus(yield* growthOf(state, command, parts, false), freed))) return
  room.admit(minus(yield* growthOf(state, command, parts, true), freed))
}

/** Reserves room as `refuseWithoutRoom` checks it, evicting idle actors first where there is none. `inPieces` runs long work. */
export async function makeWayFor(
  room: Room,
  { state, command, parts }: Growing,
  inPieces: <Result>(work: Pieces<Result>) => Promise<Result>
): Promise<void> {
  const freed = freedBy(room, command)
  // The coarse bound is no long work.
  if (room.take(minus(inOneGo(growthOf(state, command, parts, false)), freed))) return
  await room.reserve(minus(await inPieces(growthOf(state, command, parts, true)), freed))
}

/** Weight that a command frees before it adds anything. */
function freedBy(room: Room, command: SessionCommand): Weight {
  return command.type === 'session.run' && command.resetContext ? plus(room.of(MEMORY), room.of(PACKED), room.of(STATS)) : WEIGHTLESS
}

/** Upper bound on the growth when a held input is admitted: it has its text and vectors already, index and words are added. */
function admittedWeight({ text, partEnds, vectors }: HeldInput, read: ReadWords): Weight {
  const whole = newMemoryWeight(newText(text, partEnds.length, read), vectors.length / partEnds.length)
  return minus(whole, weightOf({ text, vectors }))
}
