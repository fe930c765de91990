/**
 * Finds memories by the order in which they were told, for queries that ask for the first or last, or for what came before or after
 * another.
 */
import { isAsking } from '../domain/drift/discourse-cues.js'
import { isTask } from '../domain/facts/tasks.js'
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { namedOrder } from '../domain/text/named-order.js'
import { isReaction } from '../domain/text/reactions.js'
import { readTextAtOnce } from '../domain/text/reading.js'
import { BEGINNING_LENGTH } from '../domain/words/alike-words.js'
import { isVariant } from '../domain/words/word-forms.js'
import type { Corpus } from './corpus.js'
import { documentOf, type Held } from './holdings.js'
import { passes, queryTerms, type SearchFilter } from './query.js'
import { SUPERSESSION_TERMS_MAX } from './supersession.js'
import type { Told } from './told.js'

/** Weight of a memory's place in that order beside the query's words; divided by 1 + the place. */
const ORDER_SHARE = 0.6
/** Most memories matched by the query's words that are examined. */
const LOOKED_MAX = 512
/** Most memories that a walk examines, from all sides. */
const BESIDE_MAX = 64
/** Most statements that a walk returns. */
const NEAR_MAX = 12
/** Memories examined per piece. */
const ENTRIES_A_PIECE = 32
/** Share of the highest number of matching words from which a memory counts as being about the same matter. */
const SAME_MATTER_SHARE = 0.75
/** Share of questions from which a text counts as asking only, so that it tells nothing. */
const ASKING_SHARE = 0.5
/** Length of the beginning of a memory, in UTF-16 units, searched for words of order such as "after"; hundreds may be examined. */
const SAYING_CHARACTERS = 400

/** Null for a query that asks for no order of telling, and when no memory tells of what is asked. */
export function* toldInOrder(corpus: Corpus, text: string, filter: SearchFilter): Pieces<Told | null> {
  const order = namedOrder(text, isAsking(text))
  if (order === null) return null
  const { place, matter, landmark } = order
  const found =
    place === 'first' || place === 'last'
      ? yield* atEnd(corpus, place, { ...filter, terms: termsOf(matter) })
      : yield* beside(corpus, { place, matter }, { ...filter, terms: termsOf(landmark) })
  if (found.length === 0) return null
  const places = new Map(found.map(({ memory: { id } }, at) => [id, at]))
  return {
    documents: found.flatMap(({ memory }) => corpus.held(memory.id) ?? []).map(documentOf),
    relevance: (said, { memory }) => {
      const place = places.get(memory.id)
      return (1 - ORDER_SHARE) * said + (place === undefined ? 0 : ORDER_SHARE / (1 + place))
    }
  }
}

interface Beside {
  readonly place: 'after' | 'before'
  readonly matter: string
}

interface LookingFor extends SearchFilter {
  readonly terms: readonly string[]
}

/** Memories about the terms in order from that end; without terms, any statements from that end. */
function* atEnd(corpus: Corpus, place: 'first' | 'last', looking: LookingFor): Pieces<MemoryEntry[]> {
  if (looking.terms.length === 0) return yield* statements(corpus, place === 'first' ? corpus.ordered() : corpus.backward(), looking)
  const told = yield* tellingOf(corpus, looking)
  const sign = place === 'first' ? 1 : -1
  return told.map(({ entry }) => entry).sort((a, b) => sign * (a.memory.seq - b.memory.seq))
}

/**
 * Memories next to the landmark, nearest first, those about `matter` ahead of others. If some memories themselves say what came after or
 * before it, only those.
 */
function* beside(corpus: Corpus, { place, matter }: Beside, looking: LookingFor): Pieces<MemoryEntry[]> {
  if (looking.terms.length === 0) return []
  const telling = (yield* tellingOf(corpus, looking)).sort((a, b) => b.score - a.score)
  const [landmark] = telling
  if (landmark === undefined) return []
  const saying = telling.map(({ entry }) => entry).filter(({ memory }) => SAYING[place].test(memory.text.slice(0, SAYING_CHARACTERS)))
  if (saying.length > 0) return saying
  const { seq } = landmark.entry.memory
  const near = yield* statements(corpus, place === 'after' ? corpus.ordered(seq) : corpus.backward(seq), looking)
  const own = termsOf(matter)
  const about = own.length > 0 ? own : looking.terms
  const isAbout = ({ memory }: MemoryEntry): boolean => heldOf(corpus.terms(memory.id, SUPERSESSION_TERMS_MAX), about) > 0
  return [...near.filter(isAbout), ...near.filter((entry) => !isAbout(entry))]
}

/** "After the talk a man offered me a job" states the order itself. */
const SAYING = {
  after: /(?<!\p{L})(?:after|nachdem|nach de[mrn])(?!\p{L})/iu,
  before: /(?<!\p{L})(?:before|bevor|vor de[mrn])(?!\p{L})/iu
} as const

/** The next statements of a walk. */
function* statements(corpus: Corpus, walk: Iterable<MemoryEntry>, looking: SearchFilter): Pieces<MemoryEntry[]> {
  const found: MemoryEntry[] = []
  let looked = 0
  for (const entry of walk) {
    if (++looked % ENTRIES_A_PIECE === 0) yield
    if (isStatement(corpus, entry, looking) && !isTask(entry.memory.text)) found.push(entry)
    if (looked >= BESIDE_MAX || found.length >= NEAR_MAX) break
  }
  return found
}

function isStatement(corpus: Corpus, entry: MemoryEntry, filter: SearchFilter): boolean {
  const { memory } = entry
  if (memory.role !== 'user' || !passes(entry, filter)) return false
  const { questionShare } = corpus.wording(corpus.held(memory.id) as Held)
  return questionShare < ASKING_SHARE && !isReaction(memory.text)
}

interface Telling {
  readonly entry: MemoryEntry
  readonly held: number
  readonly score: number
}

/** Statements that themselves hold most of the terms. */
function* tellingOf(corpus: Corpus, { terms, ...filter }: LookingFor): Pieces<Telling[]> {
  const words = yield* corpus.matching(new Set(terms), filter.now)
  const telling: Telling[] = []
  let looked = 0
  for (const document of yield* words.best({ limit: LOOKED_MAX, ...filter })) {
    if (++looked % ENTRIES_A_PIECE === 0) yield
    const { entry } = corpus.heldAt(document)
    const held = heldOf(corpus.terms(entry.memory.id, SUPERSESSION_TERMS_MAX), terms)
    if (held > 0 && isStatement(corpus, entry, filter)) telling.push({ entry, held, score: words.of(document) })
  }
  words.release()
  const most = Math.max(0, ...telling.map(({ held }) => held))
  return telling.filter(({ held }) => held >= SAME_MATTER_SHARE * most)
}

/** How many of the terms are present, in any form. */
function heldOf(own: readonly string[], terms: readonly string[]): number {
  return terms.filter((term) => own.some((other) => isForm(other, term))).length
}

function isForm(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= BEGINNING_LENGTH && isVariant(a, b))
}

function termsOf(text: string): readonly string[] {
  return [...queryTerms(readTextAtOnce(text))]
}
