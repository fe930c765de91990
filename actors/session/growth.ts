/** Upper bound on what a command adds to a session's record, and the refusal where there is no room for it. */
import type { SessionCommand } from '../../src/domain/commands/session-commands.js'
import { inOneGo, type Pieces } from '../../src/domain/pieces.js'
import { minus, plus, sumOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { Room } from '../weight/room.js'
import { definitionOf } from './commands.js'
import type { SplitText } from './embed.js'
import { createTwins } from './recall/twins.js'
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

/** Upper bound on what a command adds to its session's record, as far as known before its step. With `isRead` false it is coarse. */
export function* growthOf(growing: Growing, command: SessionCommand): Pieces<Weight> {
  const added = yield* addedBy(growing, command)
  return added === WEIGHTLESS ? added : plus(added, { heap: growing.state.corpus.spreadBytes(), buffers: 0 })
}

/** Upper bound on what the command itself adds. Words held already may take more too: see `Corpus.spreadBytes`. */
function* addedBy(growing: Growing, command: SessionCommand): Pieces<Weight> {
  const { given, growth } = definitionOf(command)
  if (given === undefined) return growth?.(growing, command) ?? WEIGHTLESS
  const memories = given(command)
  // At time 0 none has expired: the step removes an expired memory that is given again, which makes up for the new one.
  const unknown = growing.isRead ? yield* createTwins({ state: growing.state, now: 0 }).unknown(memories) : memories
  return sumOf(unknown.map(({ text }) => memoryWeight(growing, text)))
}

type Known = Omit<Growing, 'isRead'>

/**
 * Throws if there is no room for what the command adds. Texts are read for their words, and looked up, only where the coarse bound does not
 * fit: that takes as long as indexing them.
 */
export function* refuseWithoutRoom(room: Room, command: SessionCommand, known: Known): Pieces<void> {
  const freed = freedBy(room, command)
  if (room.fits(minus(yield* growthOf({ ...known, isRead: false }, command), freed))) return
  room.admit(minus(yield* growthOf({ ...known, isRead: true }, command), freed))
}

/** Reserves room as `refuseWithoutRoom` checks it, evicting idle actors first where there is none. `inPieces` runs long work. */
export async function makeWayFor(
  room: Room,
  command: SessionCommand,
  { inPieces, ...known }: Known & { readonly inPieces: <Result>(work: Pieces<Result>) => Promise<Result> }
): Promise<void> {
  const freed = freedBy(room, command)
  // The coarse bound is no long work.
  if (room.take(minus(inOneGo(growthOf({ ...known, isRead: false }, command)), freed))) return
  await room.reserve(minus(await inPieces(growthOf({ ...known, isRead: true }, command)), freed))
}

function freedBy(room: Room, command: SessionCommand): Weight {
  return definitionOf(command).frees?.(command, room) ?? WEIGHTLESS
}
