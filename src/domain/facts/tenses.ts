/** Tense, voice and mood of a text, from auxiliary verbs and verb forms. */
import type { Reading, Word } from './words.js'

/** Possession; what somebody has differs from what they are. */
const HAVING = wordPattern(
  "(?:have|has|'ve|habe|hast|hat|haben)(?: got)? (?:a|an|the|my|no|any|some|\\d+|ein|eine|einen|kein|keine|keinen|den|die|das)"
)
const BEING = wordPattern('(?:am|are|is|bin|bist|ist|sind) (?:a|an|the|my|no|ein|eine|kein|keine|der|die|das)')
/** "What has Max", not "what is Max". */
const WHAT_IT_HAS = /^\W*(?:was|wer|what|who) (?:hat|haben|has|have) /iu

/** "Was hatte Max"; but "was hatte Max gemacht" counts as one more past. */
const WHAT_IT_HAD = /^\W*(?:was|wer) hatten? /iu

/** Auxiliaries by what they express: a time or a manner. */
const ENGLISH_AUXILIARIES = auxiliaries({
  future: 'will shall',
  can: 'can',
  could: 'could',
  may: 'may',
  might: 'might',
  must: 'must',
  should: 'should ought',
  would: 'would',
  past: 'did was were had'
})
const GERMAN_AUXILIARIES = auxiliaries({
  can: 'kann kannst können könnt',
  could: 'könnte könnten könntest',
  may: 'darf darfst dürfen dürft',
  must: 'muss musst müssen müsst',
  should: 'soll sollst sollen sollte sollten solltest',
  would: 'würde würden würdest wäre wären hätte hätten hättest',
  wish: 'will willst wollen wollt möchte möchtest möchten',
  past: 'war waren warst hatte hatten hattest konnte konnten musste mussten durfte durften wollte wollten'
})
const ENGLISH_BE = new Set('is are am was were be been being'.split(' '))
const ENGLISH_HAVE = new Set('have has had'.split(' '))
/** Small words that may be participles, like content verbs: "has had", "would have done". */
const DONE = new Set(['done', 'had'])
/** Questions for what somebody does or has: "what does Anna do", not "what is Anna". */
const BARE = /^\W*(?:what|how|who|where) (?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|must|may)(?!\p{L})/iu
/** The same in a clause: "what Anna does". */
const BARE_CLAUSE =
  /^\W*(?:what|how) (?:(?!(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|must|may) )\p{L}+ ){1,4}(?:do|does|did|has|have|had)\W*$/iu
const BARE_END = new Map([
  ...['do', 'does', 'did', 'doing', 'done'].map((form) => [form, 'to do'] as const),
  ...['have', 'has', 'having', 'had'].map((form) => [form, 'to have'] as const)
])
const GERMAN_HAVE = new Set('hat habe haben hast habt'.split(' '))
const GERMAN_HAD = new Set('hatte hatten hattest hattet'.split(' '))
const GERMAN_WAS = new Set('war waren warst wart'.split(' '))
const GERMAN_BE = new Set('ist sind bin bist'.split(' '))
const GERMAN_BECOME = new Set('wird werden wirst werdet'.split(' '))
const GERMAN_BECAME = new Set('wurde wurden wurdest'.split(' '))
/** Verbs that form the perfect with "sein": "ist gestorben" is past, "ist geöffnet" is a state. */
const MOVING =
  /(?:geh|komm|fahr|flieg|lauf|reis|land|sterb|fall|bleib|wachs|steig|sink|steh|passier|geschieh|gescheh|zieh|springen|spring|start|schwimm|reit|renn|folg|stürz|erschein|entsteh|verschwind|auftauch|eintreff|umkipp|explodier|wander)$/

/** Tenses and manners, each numbered by occurrence, and `passive` for actions suffered, as comparable strings. */
export function tensesOf(reading: Reading): string[] {
  const counts = new Map<string, number>()
  const found: string[] = []
  for (const tense of reading.isGerman ? germanTenses(reading) : englishTenses(reading)) {
    const count = (counts.get(tense) ?? 0) + 1
    counts.set(tense, count)
    found.push(`${tense} ${count}`)
  }
  const isPast = found.includes('past 1')
  const isOwning = (!isPast || !reading.isGerman) && HAVING.test(reading.text) && !BEING.test(reading.text)
  const hasIt = (!isPast && WHAT_IT_HAS.test(reading.text)) || (!found.includes('past 2') && WHAT_IT_HAD.test(reading.text))
  return isOwning || hasIt ? [...found, 'having'] : found
}

const ALLOWED = wordPattern('allowed|permitted|permissible|permission|legal|ok|okay|alright|all right')
const POSSIBLE = wordPattern('possible|able')

/**
 * Whether one text asks for permission and the other for possibility, both of which "can" may express: "is it possible to swim here", "is
 * it allowed to swim here".
 */
export function isAllowedNotPossible(own: Reading, other: Reading): boolean {
  return ALLOWED.test(own.given) && POSSIBLE.test(other.given)
}

function englishTenses({ words, names, text: asked }: Reading): string[] {
  const end = BARE.test(asked) || BARE_CLAUSE.test(asked) ? BARE_END.get(words.at(-1)?.text ?? '') : undefined
  const found: string[] = end === undefined ? [] : [end]
  let auxiliary: 'be' | 'have' | null = null
  words.forEach((word, at) => {
    const { text } = word
    if (text === 'may' && names.has('may')) return
    if (text === 'used' && words[at + 1]?.text === 'to') return void found.push('past')
    if (text === 'going' && words[at + 1]?.text === 'to') return void found.push('future')
    if (auxiliary === 'have' && DONE.has(text)) {
      auxiliary = null
      return void found.push('perfect')
    }
    const manner = word.isStop || text === 'must' || text === 'might' ? ENGLISH_AUXILIARIES.get(text) : undefined
    if (manner !== undefined) found.push(manner)
    if (text === 'being' || isUnderWay(words, at)) found.push('under way')
    if (text === 'been' && auxiliary === 'have') found.push('perfect')
    if (ENGLISH_BE.has(text)) auxiliary = 'be'
    else if (ENGLISH_HAVE.has(text)) auxiliary = 'have'
    else if (word.time === 'past') {
      found.push(auxiliary === 'be' ? 'passive' : auxiliary === 'have' ? 'perfect' : 'past')
      auxiliary = null
    }
  })
  return found
}

/** Most words between "are" and the participle: "why is your old server crashing". */
const ACTING_WITHIN = 5

/** Small words that may form the progressive, like content verbs. */
const UNDER_WAY = new Set(['doing', 'having'])

/** Whether a word is a progressive: "Is running". A negated one does not count, since what is not running does not run. */
function isUnderWay(words: readonly Word[], at: number): boolean {
  const { isStop, text, isThing } = words[at] as Word
  if ((isStop && !UNDER_WAY.has(text)) || isThing || !/\p{L}{2}ing$/u.test(text)) return false
  if (isGerund(words, at)) return false
  const before = words.slice(Math.max(0, at - ACTING_WITHIN), at)
  return before.some((word) => ENGLISH_BE.has(word.text)) && !before.some((word) => word.text === 'not')
}

/** Whether it is what is asked about or done, not what somebody is doing: "is parking free", "where is parking free", "safe to parking". */
function isGerund(words: readonly Word[], at: number): boolean {
  const [before, first] = [words[at - 1]?.text ?? '', words[at - 2]?.text ?? '']
  if (UNDER_WAY.has(words[at]?.text ?? '')) return false
  return before === 'to' || (ENGLISH_BE.has(before) && (at === 1 || CIRCUMSTANCE.test(first)))
}

const CIRCUMSTANCE = /^(?:when|where|why|how)$/

function germanTenses({ words, names }: Reading): string[] {
  const has = (forms: ReadonlySet<string>): boolean => words.some((word) => word.isStop && forms.has(word.text))
  const found = words.flatMap((word) => (names.has(word.written) ? [] : (GERMAN_AUXILIARIES.get(word.written) ?? [])))
  const isBecoming = words.some((word) => GERMAN_BECOME.has(word.written))
  const became = words.filter((word) => GERMAN_BECAME.has(word.written)).length
  for (let count = 0; count < became; count++) found.push('past')
  const isHaving = has(GERMAN_HAVE)
  const isBeing = has(GERMAN_BE)
  const isHelped = isHaving || isBeing || isBecoming || became > 0
  const last = words.findLast((word) => !word.isStop && !word.isExact)
  let participles = 0
  for (const word of words) {
    if (word.time === 'past' && !GERMAN_BECAME.has(word.written)) found.push('past')
    if (!isParticiple(word) && !(isHelped && word === last && word.time === 'present' && word.written.endsWith('t'))) continue
    participles += 1
    if (isBecoming || became > 0 || words.some(({ written }) => written === 'worden')) found.push('passive')
    // "War abgefahren" counts one more past than "ist abgefahren".
    const isMoved = (isBeing || has(GERMAN_WAS)) && MOVING.test(word.stem)
    if (isHaving || has(GERMAN_HAD) || isMoved || words.some(({ written }) => written === 'worden')) found.push('past')
    else if (isBeing && !isBecoming) found.push('state')
  }
  if (isBecoming && participles === 0) found.push('future')
  return found
}

function auxiliaries(byManner: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(byManner).flatMap(([manner, forms]) => forms.split(' ').map((form) => [form, manner] as const)))
}

function isParticiple(word: Word): boolean {
  return word.time === 'participle'
}
function wordPattern(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
}
