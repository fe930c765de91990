/** Meaning of function words: negation, persons, and relations between things. */
import { FILLERS } from './fillers.js'
import type { Reading } from './words.js'

const NEGATIONS = new Set(
  (
    'not no nor never none nothing nobody nowhere neither without cannot unable impossible hardly barely rarely fail fails failed ' +
    'failing lack lacks lacking dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt werent shouldnt havent hasnt hadnt nicht ' +
    'nichts kein keine keinen keinem keiner keines nie niemals niemand nirgends weder ohne kaum selten unmöglich'
  ).split(' ')
)

/** Function words that may be added or dropped: they are purely grammatical, or another check compares them. */
const NEUTRAL = new Set(
  (
    'whether ob a an the am is are was were be been being do does did doing done have has had having it its itself this that these those there to of ' +
    'for in on at as any let lets please oh ok okay and or which what who whom whose can could would should will may shall ' +
    'der die das den dem des ein eine einen einem einer eines ist sind bin bist war waren warst hat habe haben hast hatte hatten werde werden ' +
    'wird wirst würde würden kann kannst können könnte muss musst müssen soll sollte wollen will es sich da dass daß denn doch so ja man ' +
    'von für an auf bei in zu dies diese diesem diesen dieser dieses dessen deren nun und oder bitte wie was wer wem wen welche welchem ' +
    'welchen welcher welches'
  ).split(' ')
)

/** Persons by pronoun; `:o` as an object, `:p` as an owner. German "sie" is she, they, or the polite you. */
const PERSONS = new Map<string, string>()
for (const [person, forms] of [
  ['i', 'i myself ich'],
  ['i:p', 'my mine mein meine meinen meinem meiner meines'],
  ['i:o', 'me mich mir'],
  ['you', 'you yourself du'],
  ['you:p', 'your yours dein deine deinen deinem deiner deines'],
  ['you:o', 'dich dir'],
  ['all', 'ihr'],
  ['all:p', 'euer eure euren eurem eurer eures'],
  ['all:o', 'euch'],
  ['he', 'he himself er'],
  ['he:p', 'his seine seinen seinem seiner seines'],
  ['he:o', 'him ihn ihm'],
  ['she', 'she herself'],
  ['she:p', 'her hers ihre ihren ihrem ihres'],
  ['it', 'it itself'],
  ['it:p', 'its'],
  ['they', 'they themselves'],
  ['they:p', 'their theirs'],
  ['they:o', 'them'],
  ['we', 'we ourselves wir'],
  ['we:p', 'our ours unser unsere unseren unserem unserer'],
  ['we:o', 'us uns'],
  ['sie', 'sie'],
  ['sie:o', 'ihnen']
] as const) {
  for (const form of forms.split(' ')) PERSONS.set(form, person)
}
/** Capitalised, these address somebody, like "ihr". */
const POLITE = new Map([
  ['sie', 'all'],
  ['ihnen', 'all:o'],
  ...['ihr', 'ihre', 'ihren', 'ihrem', 'ihrer', 'ihres'].map((form) => [form, 'all:p'] as const)
])
/** Possessive before a noun; otherwise the verb "to be". */
const GERMAN_HIS = /(?<!\p{L})[Ss]ein(?= \p{Lu})/u

/** Question words within a text also express when, where, why and how. */
const CIRCUMSTANCES = new Map(
  (
    'when when clocktime when calendarday when calendaryear when calendarmonth when where where why why how how wann when uhrzeit when ' +
    'kalendertag when kalenderjahr when kalendermonat when wo where woher woher wohin wohin warum why wieso why weshalb why'
  )
    .split(' ')
    .flatMap((word, at, all) => (at % 2 === 0 ? [[word, all[at + 1] ?? ''] as const] : []))
)

/** Marks a negation that stands with its auxiliary before the subject: "isn't my login working". */
export const INVERTED = '*'

/** Marks a negation in a subordinate clause, behind its stem: "will they sue if I don't pay". */
export const SUBORDINATE = '@'

/**
 * Negations, each as the stem of the content word that follows, with SUBORDINATE behind it if a conjunction stands before. INVERTED if the
 * only negation is inverted.
 */
export function negationsOf({ words }: Reading): string[] {
  const negated: string[] = []
  let next = ''
  const clause = words.findIndex(({ text }, at) => at > 0 && CONJUNCTIONS.has(text))
  for (const [at, word] of [...words.entries()].reverse()) {
    if (NEGATIONS.has(word.text)) negated.push(clause >= 0 && clause < at ? next + SUBORDINATE : next)
    if (!word.isStop) next = word.stem
  }
  const isAsking = CIRCUMSTANCES.has(words[0]?.text ?? '') || ASKING.has(words[0]?.text ?? '')
  const isInverted =
    negated.length === 1 &&
    words.slice(1, isAsking ? 3 : 2).some(({ text }, at) => text === 'not' && AUXILIARIES.has(words[at]?.text ?? ''))
  return isInverted ? [INVERTED] : negated.reverse()
}

const ASKING = new Set('who what which'.split(' '))
const CONJUNCTIONS = new Set('if when while because although though unless until before after since that who which whether as'.split(' '))
const AUXILIARIES = new Set('is are was were do does did can could will would has have had'.split(' '))

/** Function words that relate, compare or quantify, including question words. */
export function relationsOf(reading: Reading): string[] {
  const found = new Set<string>()
  for (const [at, { text, isStop }] of reading.words.entries()) {
    if (!isStop) continue
    const circumstance = CIRCUMSTANCES.get(text)
    if (circumstance !== undefined) found.add(circumstance)
    else if (!NEUTRAL.has(text) && !PERSONS.has(text) && !NEGATIONS.has(text) && !FILLERS.has(text)) found.add(text)
    if (text === 'zu' && isDegree(reading, at)) found.add('zu')
  }
  return [...found]
}

/** Adjectives that end like an infinitive. */
const ADJECTIVE_IN_N =
  /^(?:un)?(?:klein|dünn|trocken|selten|schön|grün|braun|fein|rein|eben|offen|modern|eigen|verschieden|bescheiden|zufrieden)$/

/** Whether "zu" means "too": "Zu dick", not "zu Hause" nor "zu essen". */
function isDegree({ words, names }: Reading, at: number): boolean {
  const next = words[at + 1]
  return (
    next !== undefined &&
    !next.isStop &&
    !next.isExact &&
    !names.has(next.written) &&
    (!next.written.endsWith('n') || ADJECTIVE_IN_N.test(next.written))
  )
}

const BEFORE_OBJECT = new Set('to for with by from about of at on than'.split(' '))

/** Whether "you" is an object: "Inform you", "works for you", not "the man you work for". */
function isActedOn({ words }: Reading, at: number): boolean {
  const [before, next] = [words[at - 1], words[at + 1]]
  return BEFORE_OBJECT.has(before?.text ?? '') || (before?.isStop === false && next?.isStop !== false)
}

/** Persons in order of their pronouns, with repetitions. */
export function personsOf(reading: Reading): string[] {
  const found = reading.words.flatMap(({ text }, at) => {
    const isCapital = reading.names.has(text)
    if (isCapital && text === 'us') return []
    if (text === 'you' && isActedOn(reading, at)) return 'you:o'
    return (isCapital && reading.isGerman ? POLITE.get(text) : undefined) ?? PERSONS.get(text) ?? []
  })
  return reading.isGerman && GERMAN_HIS.test(reading.text) ? [...found, 'he:p'] : found
}
