/** Finds memories by when they were told, for queries that name a time of the past: "What did I say on Monday?" */
import { createBestOf } from '../domain/collections/best-of.js'
import { isAsking } from '../domain/drift/discourse-cues.js'
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { namedTimes } from '../domain/text/named-times.js'
import type { Corpus } from './corpus.js'
import { documentOf } from './holdings.js'
import { passes, type SearchOptions } from './query.js'
import type { Told } from './told.js'

/** Longest query, in UTF-16 units; a longer text tells more than it asks. */
const QUERY_LENGTH_MAX = 200
/**
 * Weight of having been told at the time asked for, beside the query's words, if few memories were told then; it falls with the share of
 * memories told then. Of 37 questions that name a time the right memory comes first in 29.
 */
const TOLD_SHARE = 0.5
/** Memories whose time is examined per piece. */
const ENTRIES_A_PIECE = 2_048

/** The query is about the past. */
const PAST =
  /(?<!\p{L})(?:did|was|were|had|told|said|asked|happened|went|done|habe?n?|hast|hat|hatten?|war(?:en)?|wurden?|passiert|sagte|erzählte)(?!\p{L})/iu
/** The query is about the present or the future. */
const PRESENT =
  /(?<!\p{L})(?:is|are|am|do|does|will|shall|should|can|could|may|might|must|when|ist|sind|wird|werden|soll(?:te)?|kann|muss|darf|wann)(?!\p{L})/iu
/** "Yesterday", "last week", "two days ago" are past whatever the verb. */
const BEHIND =
  /^(?:the day before|yesterday|last|past|previous|vorgestern|gestern|letzte|vorige|vergangene|vor)|(?:ago|last week|letzter? woche)$/iu
const SELF = /(?<!\p{L})(?:i|we|ich|wir)(?!\p{L})/iu
/** Verbs of telling, doing and happening: the query asks for these, but they say nothing about the content. */
const TELLING =
  /(?<!\p{L})(?:say|said|tell|told|talk(?:ed)?|speak|spoken?|mention(?:ed)?|discuss(?:ed)?|happen(?:ed)?|do|did|done|notes?|sage|gesagt|erzählt?|geredet|gesprochen|erwähnt|besprochen|passiert|geschehen|gemacht|getan)(?!\p{L})/giu

/** The time that a query asks for. */
interface TimeAsked {
  /** The query without relative names of times ("yesterday") and without verbs of telling. */
  readonly rest: string
  readonly isIn: (entry: MemoryEntry) => boolean
  /** Whether the time is a date, which memories of other times may name too: "the flight on 3 May" was talked of before. */
  readonly isDated: boolean
}

/** Null for a query that asks for no time of the past. `now`: epoch seconds. */
function timeAskedFor(text: string, now: number): TimeAsked | null {
  if (text.length > QUERY_LENGTH_MAX || (!isAsking(text) && SELF.test(text))) return null
  const isPast = PAST.test(text)
  const isOpen = !isPast && PRESENT.test(text)
  const times = namedTimes(text, now).filter(({ words, isRelative }) => BEHIND.test(words) || isPast || (!isRelative && !isOpen))
  if (times.length === 0) return null
  let rest = text
  for (const { words, isRelative } of times) if (isRelative) rest = rest.replace(words, ' ')
  return {
    rest: rest.replace(TELLING, ' '),
    isIn: ({ memory: { timestamp } }) => times.some(({ since, until }) => timestamp >= since && timestamp < until),
    isDated: times.some(({ isRelative }) => !isRelative)
  }
}

/** The memories told at the time asked for, the latest of them. */
export type ToldThen = Told & Pick<TimeAsked, 'rest' | 'isIn'>

/** Null for a query that asks for no time of the past, and when none or all were told then: the time then distinguishes nothing. */
export function* toldThen(corpus: Corpus, text: string, { limit, ...filter }: SearchOptions): Pieces<ToldThen | null> {
  const asked = timeAskedFor(text, filter.now)
  if (asked === null) return null
  const { rest, isIn, isDated } = asked
  const best = createBestOf<MemoryEntry>(limit, (a, b) => b.memory.seq - a.memory.seq > 0)
  let all = 0
  let then = 0
  let looked = 0
  for (const entry of corpus.ordered()) {
    if (++looked % ENTRIES_A_PIECE === 0) yield
    if (!passes(entry, filter)) continue
    all += 1
    if (!isIn(entry)) continue
    then += 1
    best.offer(entry)
  }
  if (then === 0 || then === all) return null
  const documents = best
    .all()
    .flatMap(({ memory }) => corpus.held(memory.id) ?? [])
    .map(documentOf)
  const share = TOLD_SHARE * (1 - then / all)
  const relevance = (said: number, entry: MemoryEntry): number => {
    if (isIn(entry)) return said + share * (1 - said)
    return isDated ? said : said - share * said
  }
  return { documents, relevance, rest, isIn }
}
