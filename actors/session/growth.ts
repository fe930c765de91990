/** Upper bound on what a command adds to a session's record, and the refusal where there is no room for it. */
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import type { Pieces } from '../../src/domain/pieces.js'
import { minus, plus, sumOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { Room } from '../weight/room.js'
import { definitionOf } from './commands.js'
import type { SplitText } from './embed.js'
import { createTwins, type GivenMemory } from './recall/twins.js'
import { type Growing, type KnownText, memoryWeight } from './record/weight.js'
import type { Prepared } from './record/work.js'

/** Collects what is known of the texts of a command before its step. `split`: those whose parts are known. */
export function knownTexts(
  split: Iterable<SplitText>,
  { readings, wordCounts = NO_COUNTS }: Pick<Prepared, 'readings' | 'wordCounts'>
): Growing['texts'] {
  const known = new Map<string, KnownText>()
  for (const [text, size] of wordCounts) known.set(text, { partEnds: [text.length], words: { counts: { size } } })
  for (const [text, words] of readings) known.set(text, { partEnds: [text.length], words })
  for (const { text, partEnds } of split) known.set(text, { partEnds, words: readings.get(text) })
  return known
}

const NO_COUNTS: ReadonlyMap<string, number> = new Map()

type Known = Omit<Growing, 'isRead'>

/** Upper bound on what a command adds to its session's record. Coarse: no text is read for its words, or looked up. */
function coarseGrowth(known: Known, command: SessionCommand): Weight {
  // The spread comes last: in V8, adding a field to an object made by a spread takes ten times as long and more.
  return growthBy({ isRead: false, ...known }, command, definitionOf(command).given?.(command))
}

/** The same, of texts that are read and looked up: that takes as long as indexing them. */
export function* exactGrowth(known: Known, command: SessionCommand): Pieces<Weight> {
  const given = definitionOf(command).given?.(command)
  // At time 0 none has expired: the step removes an expired memory that is given again, which makes up for the new one.
  const unknown = given && (yield* createTwins({ state: known.state, now: 0 }).unknown(given))
  return growthBy({ isRead: true, ...known }, command, unknown)
}

/** `memories`: those that it adds; undefined for a command of other growth. What is held already may take more too: see `spreadBytes`. */
function growthBy(growing: Growing, command: SessionCommand, memories: readonly GivenMemory[] | undefined): Weight {
  const added =
    memories === undefined
      ? (definitionOf(command).growth?.(growing, command) ?? WEIGHTLESS)
      : sumOf(memories.map(({ text }) => memoryWeight(growing, text)))
  const { corpus, topics } = growing.state
  return added === WEIGHTLESS ? added : plus(added, { heap: corpus.spreadBytes(), buffers: topics.spreadBytes() })
}

/** Throws if there is no room for what the command adds. Bounded exactly only where the coarse bound does not fit. */
export function* refuseWithoutRoom(room: Room, command: SessionCommand, known: Known): Pieces<void> {
  const freed = freedBy(room, command)
  if (room.fits(minus(coarseGrowth(known, command), freed))) return
  room.admit(minus(yield* exactGrowth(known, command), freed))
}

/** Reserves room as `refuseWithoutRoom` checks it, evicting idle actors first where there is none. `inPieces` runs long work. */
export async function makeWayFor(
  room: Room,
  command: SessionCommand,
  { inPieces, ...known }: Known & { readonly inPieces: <Result>(work: Pieces<Result>) => Promise<Result> }
): Promise<void> {
  const freed = freedBy(room, command)
  if (room.take(minus(coarseGrowth(known, command), freed))) return
  await room.reserve(minus(await inPieces(exactGrowth(known, command)), freed))
}

function freedBy(room: Room, command: SessionCommand): Weight {
  return definitionOf(command).frees?.(command, room) ?? WEIGHTLESS
}
