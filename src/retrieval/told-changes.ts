/** Texts that themselves say that something has changed, in other words than those in which it was told. */
import { isAsking } from '../domain/drift/discourse-cues.js'
import type { MemoryEntry } from '../domain/session.js'
import { endedIn, isMarkedAsChange, tellsGoal } from '../domain/text/change-marks.js'
import { sentencesOf } from '../domain/text/sentences.js'
import { contentTerms } from '../domain/text/terms.js'
import { changesOf, isChangeOf, isStateTerm } from '../domain/words/state-changes.js'
import type { Wording } from './wording.js'

/** Length of the beginning of a text, in UTF-16 units, that is searched for a fact or its change. */
const READ_CHARACTERS = 400
/** Fewest letters for a word that begins like another to count as a form of it. */
const FORM_LETTERS_MIN = 4
/** Most content words of a question for one fact. */
const ASKED_MAX = 8

/** Share of the query's terms, without the speaker's name, that a statement must hold to answer it. */
const ANSWERED_SHARE = 0.5
/** Most content words of a statement of one fact. */
const STATEMENT_TERMS_MAX = 12
/** Statements read per text, the first ones: each is compared with each statement of another text. */
const STATEMENTS_MAX = 8

/** Words of questions about the past, which do not ask for the current state. "was" is handled apart: German questions begin with it. */
const PAST = new Set(['did', 'were', 'had', 'used', 'war', 'waren', 'hatte', 'hatten', 'wurde', 'wurden'])
const SELF = new Set(['i', 'we', 'my', 'our', 'ich', 'wir', 'mein', 'meine', 'unser', 'unsere'])
/** A destination or place rather than a state: "How do I get to work?" */
const PLACE_OF_WORK = /\b(?:to|at|from|after|before|for) work\b/i
const SELF_ACTING = /(?<!\p{L})(?:i|we|ich|wir)(?!\p{L})/iu

export interface Asked {
  /** The question; null for none. */
  readonly text: string | null
  readonly terms: ReadonlySet<string>
  /** Its words as they stand, in lower case. */
  readonly words: ReadonlySet<string>
}

/** A sentence that is no question. */
interface Statement {
  readonly text: string
  readonly terms: readonly string[]
  /** Terms of the thing that, as it says, has ended. */
  readonly ended: readonly string[]
}

export interface Told {
  readonly entry: MemoryEntry
  readonly wording: Wording
}

/** How the newer of two texts says that what the older one tells has changed; null if it does not. Made for one query. */
type TellsChange = (newer: Told, older: Told) => 'state' | 'end' | null

const NOTHING: TellsChange = () => null

interface Read {
  readonly statements: readonly Statement[]
  /** Statements that say what is asked for, or nearly so. */
  readonly answers: readonly Statement[]
}

/** Never finds a change for questions that are not about the present. Reads each text once. */
export function createTellsChange(asked: Asked): TellsChange {
  if (!isForNow(asked)) return NOTHING
  const isStateAsked = [...asked.terms].some(isStateTerm)
  const read = new Map<string, Read>()
  function readOnce(told: Told): Read {
    const { id } = told.entry.memory
    const known = read.get(id) ?? readTold(told, asked)
    read.set(id, known)
    return known
  }
  return (newer, older) => {
    if (!isStateAsked && newer.wording.change !== 'ends') return null
    for (const before of readOnce(older).answers) {
      for (const after of readOnce(newer).statements) {
        if (endsValueOf(after, before, asked)) return 'end'
        if (changesStateOf(after, before, asked)) return 'state'
      }
    }
    return null
  }
}

function readTold({ entry: { memory }, wording }: Told, { terms: asked }: Asked): Read {
  // The speaker's name says nothing about the matter.
  const speaker = new Set(wording.speaker === null ? [] : contentTerms(wording.speaker.join(' ')))
  const statements = sentencesOf(memory.text.slice(0, READ_CHARACTERS))
    .filter((sentence) => !sentence.trimEnd().endsWith('?'))
    .slice(0, STATEMENTS_MAX)
    .map((text) => ({
      text,
      terms: contentTerms(text).filter((term) => !speaker.has(term)),
      ended: wording.change === 'ends' ? endedTerms(text) : []
    }))
    .filter(({ terms }) => terms.length <= STATEMENT_TERMS_MAX)
  const matter = [...asked].filter((term) => !speaker.has(term))
  const answers = statements.filter(({ terms }) => {
    const found = matter.filter((term) => holds(terms, term)).length
    return found > 0 && found >= ANSWERED_SHARE * matter.length
  })
  return { statements, answers }
}

/** Prepositions that begin the where, when or how after what has ended. */
const ADJUNCT = /\s(?:on|under|in|at|to|from|near|during|before|after|auf|unter|im|am|an|bei|beim|zu|zum|zur|vor|nach)\s/iu

/** Terms of what has ended: the tools in "I no longer keep tools under the mat". */
function endedTerms(text: string): readonly string[] {
  for (const part of endedIn(text).split(ADJUNCT)) {
    const terms = contentTerms(part).filter((term) => !isStateTerm(term) && /\p{L}/u.test(term))
    if (terms.length > 0) return terms
  }
  return []
}

/**
 * Whether the newer statement ends the value that the older one states: "I sold the car" after "I drive the car to work", when the question
 * is how one gets to work. Terms of the question are the matter, not the value.
 */
function endsValueOf({ ended }: Statement, older: Statement, { terms: asked }: Asked): boolean {
  const found = ended.filter((term) => older.terms.includes(term))
  return found.length > ended.length / 2 && found.some((term) => !asked.has(term))
}

/**
 * Whether the newer statement changes the state that the older one tells. It must hold all terms of the question that the older one holds,
 * except the verb of the state; in its place it needs a verb that changes that state, or a word that marks a change. If nothing but the
 * verb is asked for, question and newer statement must be about the speaker, and the statement must name a goal: "I moved the sofa" changes
 * no home.
 */
function changesStateOf(newer: Statement, older: Statement, asked: Asked): boolean {
  // With a state verb of its own it is about something else: "I no longer drink coffee on the train".
  if (isStateAnew(newer, older, asked)) return true
  const isMarked = isMarkedAsChange(newer.text) && !newer.terms.some(isStateTerm)
  const changed: string[] = []
  let isNamed = false
  for (const term of older.terms) {
    if (!asked.terms.has(term)) continue
    const isState = isStateTerm(term)
    if (holds(newer.terms, term)) isNamed ||= !isState
    else if (isState && (isMarked || newer.terms.some((other) => isChangeOf(other, term)))) changed.push(term)
    else return false
  }
  if (changed.length === 0 || isNamed) return isNamed && changed.length > 0
  if (!isOfOwnState(asked) || !SELF_ACTING.test(newer.text) || !tellsGoal(newer.text)) return false
  return changed.every((term) => newer.terms.some((other) => changesOf(term).has(other)))
}

/** Prepositions of places, employers and the like; "I live with my sister now" does not change where one lives. */
const PLACING = new Set('at in on for by near bei beim in im an am auf für'.split(' '))

/** Whether the newer statement tells the only thing that is asked for, a state of one's own, with a mark of change: "I work at B now". */
function isStateAnew(newer: Statement, older: Statement, asked: Asked): boolean {
  const states = [...asked.terms]
  if (!states.every(isStateTerm) || !isOfOwnState(asked) || !isMarkedAsChange(newer.text)) return false
  if (![newer, older].every(({ terms, text }) => SELF_ACTING.test(text) && states.every((state) => terms.includes(state)))) return false
  const placing = ({ text }: Statement): string[] => (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => PLACING.has(word))
  const others = new Set(placing(older))
  return placing(newer).some((word) => others.has(word))
}

/**
 * Verbs that change the states in question, for a query that asks only for a state of one's own ("Where do I live?"): "I moved to Cork"
 * answers it without sharing a word. Null for any other query.
 */
export function changesAskedFor(asked: Asked): ReadonlySet<string> | null {
  const states = [...asked.terms]
  if (states.length === 0 || !states.every(isStateTerm) || !isOfOwnState(asked) || !isForNow(asked)) return null
  return new Set(states.flatMap((state) => [...changesOf(state)]))
}

function isOfOwnState({ text, words }: Asked): boolean {
  return [...words].some((word) => SELF.has(word)) && !PLACE_OF_WORK.test(text ?? '')
}

function isForNow({ text, terms, words }: Asked): boolean {
  return text !== null && terms.size <= ASKED_MAX && isAsking(text) && !isAboutPast(words)
}

function isAboutPast(words: ReadonlySet<string>): boolean {
  const [first] = words
  const isPerfect = (words.has('has') || words.has('have')) && !words.has('do') && !words.has('does')
  return isPerfect || (words.has('was') && first !== 'was') || [...words].some((word) => PAST.has(word))
}

/** Whether the terms contain the term or a form of it. */
function holds(terms: readonly string[], term: string): boolean {
  return terms.some((other) => {
    if (other === term) return true
    const shorter = Math.min(term.length, other.length)
    return shorter >= FORM_LETTERS_MIN && (other.startsWith(term) || term.startsWith(other))
  })
}
