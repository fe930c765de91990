/** Memories by when they were told, for a query that names a time of the past: "What did I say on Monday?" */
import { isAlive } from '../domain/expiry.js'
import { createBestOf } from '../domain/best-of.js'
import { isAsking } from '../domain/drift/discourse-cues.js'
import type { Pieces } from '../domain/pieces.js'
import type { MemoryEntry } from '../domain/session.js'
import { namedTimes } from '../domain/text/named-times.js'
import type { Corpus } from './corpus.js'
import { documentOf } from './holdings.js'

/** UTF-16 units of a query: a longer one tells more than it asks. */
const QUERY_LENGTH_MAX = 200
/**
 * What having been told at the time that is asked for counts beside the words of the query, where few memories were; less the more of all
 * were. Of 37 questions that name a time the right memory comes first in 29.
 */
const TOLD_SHARE = 0.5
/** Memories whose time is looked at in one piece. */
const ENTRIES_A_PIECE = 2_048

/** It asks for what was, or says what was said. */
const PAST =
  /(?<!\p{L})(?:did|was|were|had|told|said|asked|happened|went|done|habe?n?|hast|hat|hatten?|war(?:en)?|wurden?|passiert|sagte|erzählte)(?!\p{L})/iu
/** It asks for what is, will or should be. */
const PRESENT =
  /(?<!\p{L})(?:is|are|am|do|does|will|shall|should|can|could|may|might|must|when|ist|sind|wird|werden|soll(?:te)?|kann|muss|darf|wann)(?!\p{L})/iu
/** "Yesterday", "last week", "two days ago" are past whatever the verb. */
const BEHIND =
  /^(?:the day before|yesterday|last|past|previous|vorgestern|gestern|letzte|vorige|vergangene|vor)|(?:ago|last week|letzter? woche)$/iu
const SELF = /(?<!\p{L})(?:i|we|ich|wir)(?!\p{L})/iu
/** That something was told, done or has happened: it is asked for, and says nothing of what it was. */
const TELLING =
  /(?<!\p{L})(?:say|said|tell|told|talk(?:ed)?|speak|spoken?|mention(?:ed)?|discuss(?:ed)?|happen(?:ed)?|do|did|done|notes?|sage|gesagt|erzählt?|geredet|gesprochen|erwähnt|besprochen|passiert|geschehen|gemacht|getan)(?!\p{L})/giu

/** What is asked of a time. */
export interface TimeAsked {
  /** The query without what names the time by today's, and without verbs of telling. */
  readonly rest: string
  readonly isIn: (entry: MemoryEntry) => boolean
  /** Whether it is named by a date, which a text may name as well: "the flight on 3 May" was talked of before. */
  readonly isDated: boolean
}

/** Null for a query that asks for no time of the past. `now`: epoch seconds. */
export function timeAskedFor(text: string, now: number): TimeAsked | null {
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

/** Memories that were told then. */
export interface ToldThen extends Pick<TimeAsked, 'isIn' | 'isDated'> {
  /** Document numbers of the last ones. */
  readonly documents: readonly number[]
  /** 0..TOLD_SHARE: what having been told then counts. */
  readonly share: number
}

interface Looking {
  readonly now: number
  readonly limit: number
  readonly accept?: (entry: MemoryEntry) => boolean
}

/** Null where none was told then, or all: the time tells nothing apart. */
export function* toldThen(corpus: Corpus, { isIn, isDated }: TimeAsked, { now, limit, accept }: Looking): Pieces<ToldThen | null> {
  const best = createBestOf<MemoryEntry>(limit, (a, b) => b.memory.seq - a.memory.seq > 0)
  let all = 0
  let then = 0
  let looked = 0
  for (const entry of corpus.ordered()) {
    if (++looked % ENTRIES_A_PIECE === 0) yield
    if (!isAlive(entry.memory, now) || accept?.(entry) === false) continue
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
  return { documents, isIn, isDated, share: TOLD_SHARE * (1 - then / all) }
}

/** What a memory's words count for, `said`, with the time at which it was told. */
export function withTime(said: number, entry: MemoryEntry, { isIn, isDated, share }: ToldThen): number {
  if (isIn(entry)) return said + share * (1 - said)
  return isDated ? said : said - share * said
}
