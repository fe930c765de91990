/** Memories by the order in which they were told, for a query that asks for the first of them, or for what came after another one. */
import { isAlive } from '../domain/expiry.js'
import { isTask } from '../domain/facts/tasks.js'
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { type NamedOrder } from '../domain/text/named-order.js'
import { isReaction } from '../domain/text/reactions.js'
import { readTextAtOnce } from '../domain/text/reading.js'
import { BEGINNING_LENGTH } from '../domain/words/alike-words.js'
import { isVariant } from '../domain/words/word-forms.js'
import type { Corpus } from './corpus.js'
import { documentOf, type Held } from './holdings.js'
import { queryWords, type RetrievalQuery } from './query.js'
import { SUPERSESSION_TERMS_MAX } from './supersession.js'

/** What the place in that order counts beside the words of the query: of those behind the first one by their place. */
const ORDER_SHARE = 0.6
/** Memories with the words of the query among which it is looked for. */
const LOOKED_MAX = 512
/** Memories beside another one that are looked at, by all sides. */
const BESIDE_MAX = 64
/** Those of them that may be meant. */
const NEAR_MAX = 12
/** Memories looked at in one piece. */
const ENTRIES_A_PIECE = 32
/** Share of the words that a memory has which has most of them, from which on another one is told of the same. */
const SAME_MATTER_SHARE = 0.75
/** A text that only asks tells nothing. */
const ASKING_SHARE = 0.5
/** UTF-16 units of a memory, the first ones, by which it says itself what came when: hundreds may be looked at. */
const SAYING_CHARACTERS = 400

export interface ToldInOrder {
  /** Document numbers of those that are meant, and of what they came before or after. */
  readonly documents: readonly number[]
  /** Places of those that are meant by their ids, from 0. */
  readonly places: ReadonlyMap<string, number>
}

type Looking = Pick<RetrievalQuery, 'now' | 'accept'>

/** Null where nothing was told of what is asked. */
export function* toldInOrder(corpus: Corpus, order: NamedOrder, looking: Looking): Pieces<ToldInOrder | null> {
  const { place, matter, landmark } = order
  const found =
    place === 'first' || place === 'last'
      ? yield* atEnd(corpus, place, { ...looking, terms: termsOf(matter) })
      : yield* beside(corpus, { place, matter }, { ...looking, terms: termsOf(landmark) })
  if (found.length === 0) return null
  return {
    documents: found.flatMap(({ memory }) => corpus.held(memory.id) ?? []).map(documentOf),
    places: new Map(found.map(({ memory: { id } }, at) => [id, at]))
  }
}

/** What a memory's words count for, `said`, with its place in the order. */
export function withOrder(said: number, { memory }: MemoryEntry, { places }: ToldInOrder): number {
  const place = places.get(memory.id)
  return (1 - ORDER_SHARE) * said + (place === undefined ? 0 : ORDER_SHARE / (1 + place))
}

interface Beside {
  readonly place: 'after' | 'before'
  readonly matter: string
}

interface LookingFor extends Looking {
  readonly terms: readonly string[]
}

/** Those that tell of it, in order from that end. */
function* atEnd(corpus: Corpus, place: 'first' | 'last', looking: LookingFor): Pieces<MemoryEntry[]> {
  if (looking.terms.length === 0) return yield* statements(corpus, place === 'first' ? corpus.ordered() : corpus.backward(), looking)
  const told = yield* tellingOf(corpus, looking)
  const sign = place === 'first' ? 1 : -1
  return told.map(({ entry }) => entry).sort((a, b) => sign * (a.memory.seq - b.memory.seq))
}

/** Those next to it, nearest first: before others the ones that tell of the same. Where memories say themselves what came when, those. */
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

/** "After the talk a man offered me a job" says itself what came when. */
const SAYING = {
  after: /(?<!\p{L})(?:after|nachdem|nach de[mrn])(?!\p{L})/iu,
  before: /(?<!\p{L})(?:before|bevor|vor de[mrn])(?!\p{L})/iu
} as const

/** The next ones of a walk that tell something. */
function* statements(corpus: Corpus, walk: Iterable<MemoryEntry>, looking: Looking): Pieces<MemoryEntry[]> {
  const found: MemoryEntry[] = []
  let looked = 0
  for (const entry of walk) {
    if (++looked % ENTRIES_A_PIECE === 0) yield
    if (isStatement(corpus, entry, looking) && !isTask(entry.memory.text)) found.push(entry)
    if (looked >= BESIDE_MAX || found.length >= NEAR_MAX) break
  }
  return found
}

function isStatement(corpus: Corpus, entry: MemoryEntry, { now, accept }: Looking): boolean {
  const { memory } = entry
  if (memory.role !== 'user' || !isAlive(memory, now) || accept?.(entry) === false) return false
  const { questionShare } = corpus.wording(corpus.held(memory.id) as Held)
  return questionShare < ASKING_SHARE && !isReaction(memory.text)
}

interface Telling {
  readonly entry: MemoryEntry
  readonly held: number
  readonly score: number
}

/** Statements that have most of the words themselves. */
function* tellingOf(corpus: Corpus, { terms, now, accept }: LookingFor): Pieces<Telling[]> {
  const words = yield* corpus.matching(new Map(terms.map((term) => [term, 1])), now)
  const telling: Telling[] = []
  let looked = 0
  for (const document of yield* words.best({ limit: LOOKED_MAX, ...(accept !== undefined && { accept }) })) {
    if (++looked % ENTRIES_A_PIECE === 0) yield
    const { entry } = corpus.heldAt(document)
    const held = heldOf(corpus.terms(entry.memory.id, SUPERSESSION_TERMS_MAX), terms)
    if (held > 0 && isStatement(corpus, entry, { now })) telling.push({ entry, held, score: words.of(document) })
  }
  const most = Math.max(0, ...telling.map(({ held }) => held))
  return telling.filter(({ held }) => held >= SAME_MATTER_SHARE * most)
}

/** How many of the terms, or forms of them, are there. */
function heldOf(own: readonly string[], terms: readonly string[]): number {
  return terms.filter((term) => own.some((other) => isForm(other, term))).length
}

function isForm(a: string, b: string): boolean {
  return a === b || (Math.min(a.length, b.length) >= BEGINNING_LENGTH && isVariant(a, b))
}

function termsOf(text: string): readonly string[] {
  return [...queryWords(readTextAtOnce(text)).keys()]
}
