/** Grammatical number in German, from the finite verb and from determiners, because many nouns have one form for singular and plural. */
import { isGermanStopWord } from '../text/stop-words.js'
import { verbForm } from './german-verbs.js'
import { isUnit } from './numbers.js'
import { germanNounStem } from './synonyms.js'
import type { Reading, Word } from './words.js'

/** Number of a verb or a noun; `both` if the text has it in both. */
export type GrammaticalNumber = 'one' | 'several' | 'both'

/** Verbs that are mostly function words, each as a pair of singular and plural. */
const SMALL_VERBS = new Map<string, readonly [lemma: string, number: GrammaticalNumber]>()
for (const pair of (
  'ist sind, war waren, hat haben, hatte hatten, wird werden, wurde wurden, würde würden, kann können, konnte konnten, könnte könnten, ' +
  'muss müssen, musste mussten, soll sollen, sollte sollten, darf dürfen, durfte durften, will wollen, wollte wollten, mag mögen, ' +
  'mochte mochten, möchte möchten, wäre wären, hätte hätten'
).split(', ')) {
  const [one = '', several = ''] = pair.split(' ')
  SMALL_VERBS.set(one, [one, 'one'])
  SMALL_VERBS.set(several, [one, 'several'])
}

/** Pronouns as subjects, where the verb's form tells who rather than how many: "macht ihr auf", "machen Sie auf". */
const SUBJECTS = new Set('ich du er es man wir sie'.split(' '))
const CLAUSE = /[^,;:.?!]+/gu
const WORD = /[\p{L}\p{N}]+/gu
/** Lists, crowds and people take either form: "ist Brot und Milch da", "eine Menge Leute kommt". */
const EITHER =
  /(?<!\p{L})(?:und|oder|sowie|menge|paar|hälfte|reihe|anzahl|mehrheit|prozent|drittel|viertel|teil|welche (?:leute|menschen|personen))(?!\p{L})/iu
/** Counted units also take either: "sind 3 Meilen", "wie viele Liter passt hinein". */
const COUNT = /^(?:\d+|zwei|drei|vier|fünf|sechs|zehn|hundert|tausend)$/
const HOW_MANY = /^(?:wie)?viele?$/
const BEFORE_TIME = /^(?:um|ab|bis|vor|nach|seit|gegen|\p{Lu}.*)$/u

/** Determiners of a singular noun that is not feminine; none of them stands before a plural. */
const ONE = /^(?:d[ae]s|dem|einen|jede[rn]|(?:[mdsk]?ein|ihr|unser|eur|dies|jed|welch)e[ms]|[mdsk]?ein|ihr|unser|euer)$/
/** Determiners of a plural, or of a feminine singular, which never has those of ONE. */
const SEVERAL = /^(?:die|alle|beide|(?:[mdsk]ein|ihr|unser|eur|dies|welch)e)$/
/** Nominative of a masculine singular. */
const MALE = /^(?:d|dies|welch)er$/
/** Accusative of a masculine singular, or dative of a plural. */
const ACCUSATIVE = /^(?:den|(?:[mdsk]ein|ihr|unser|eur|dies|welch)en)$/
/** Genitives: "die Farbe des Koffers", "die Farbe der Koffer". */
const OF_ONE = /^(?:des|(?:[mds]?ein|ihr|unser|eur|dies)es)$/
const OF_SEVERAL = /^(?:der|(?:[mds]ein|ihr|unser|eur|dies)er)$/
const BEFORE_OF =
  /^(?:wegen|trotz|während|statt|anstatt|innerhalb|außerhalb|aufgrund|(?:ein|jed|kein|welch)e[rs]|(?:viel|wenig|all|einig)e)$/
const BEFORE_DATIVE = /^(?:mit|von|zu|bei|nach|aus|in|an|auf|unter|über|vor|hinter|neben|zwischen|seit|ab|gegenüber)$/
/** Nouns with the same form for singular and plural, unless feminine. */
const ONE_FORM = /(?:e[rln]|chen|lein)$/
const FEMININE = new RegExp(
  `(?:${
    'mutter tochter schwester butter feder leiter oper nummer kammer mauer dauer trauer leber schulter ziffer steuer faser folter ader feier ' +
    'klammer wimper kiefer trommel gabel regel insel kartoffel zwiebel schüssel tafel bibel nadel klausel vokabel formel fackel kugel kurbel ' +
    'ampel fabel windel wurzel nudel orgel muschel semmel schachtel dattel fessel hantel kachel kanzel kapsel mandel schaufel staffel ' +
    'waffel wachtel achsel amsel'
  })$`.replaceAll(' ', '|')
)
/** Dative plural: "Schlüsseln", "Kindern". "Den Bauern" may be singular too. */
const DATIVE_OF_SEVERAL = /(?<=(?<!bau|bay)e[lr])n$/u
const GENITIVE_OF_ONE = /(?<=\p{L}{3})e?s$/u
const ADJECTIVE = /e[nmrs]?$/

/** Number of each finite verb, by lemma, and each noun, by stem, of a German text. */
export function germanNumbersOf(reading: Reading): ReadonlyMap<string, GrammaticalNumber> {
  const found = new Map<string, GrammaticalNumber>()
  const add = (key: string, number: GrammaticalNumber): void => void found.set(key, (found.get(key) ?? number) === number ? number : 'both')
  for (const [clause] of reading.given.matchAll(CLAUSE)) for (const [lemma, number] of verbsOf(clause)) add(`verb ${lemma}`, number)
  reading.words.forEach(({ written }, at) => {
    const [own, owner] = numbersOfNoun(reading, at)
    if (own === null && owner === null) return
    // Not the stem of a synonym, which may have another gender.
    const stem = germanNounStem(written.replace(owner === 'one' ? GENITIVE_OF_ONE : DATIVE_OF_SEVERAL, ''))
    if (own !== null) add(`noun ${stem}`, own)
    if (owner !== null) add(`of ${stem}`, owner)
  })
  return found
}

type VerbNumber = readonly [lemma: string, number: GrammaticalNumber]

/** Finite verbs of a clause whose subject is no pronoun. Beside an auxiliary, other verbs are not finite. */
function verbsOf(clause: string): readonly VerbNumber[] {
  if (EITHER.test(clause)) return []
  const written = clause.match(WORD) ?? []
  const words = written.map((word) => word.toLowerCase())
  if (words.some((word, at) => SUBJECTS.has(word) || (word === 'ihr' && !isBeforeNoun(written, at)) || isCounted(written, words, at))) {
    return []
  }
  const small = words.flatMap((word): VerbNumber[] => {
    const verb = SMALL_VERBS.get(word)
    return verb === undefined ? [] : [verb]
  })
  if (small.length === 0) return words.flatMap((word, at) => fullVerb(written[at] === word || at === 0 ? word : '', words[at - 1] ?? ''))
  // "Kann … werden": beside another auxiliary, one that ends in -n is an infinitive.
  const one = small.filter(([, number]) => number === 'one')
  return one.length > 0 ? one : small
}

/** Whether "ihr" is a possessive: "Ihr Koffer", "ihr neuer Koffer", not "macht ihr auf". */
function isBeforeNoun(written: readonly string[], at: number): boolean {
  const [next = '', second = ''] = written.slice(at + 1)
  return /^\p{Lu}/u.test(next) || (ADJECTIVE.test(next) && !isGermanStopWord(next) && /^\p{Lu}/u.test(second))
}

function isCounted(written: readonly string[], words: readonly string[], at: number): boolean {
  const [word = '', before = ''] = [words[at], written[at - 1]]
  return (COUNT.test(word) && !BEFORE_TIME.test(before)) || (HOW_MANY.test(before) && isUnit(word))
}

const INFINITIVE_OR_ATTRIBUTE = /^(?:zu|d(?:er|ie|as|en|em|es)|\p{L}*ein(?:e[nmrs]?)?)$/u

function fullVerb(word: string, before: string): VerbNumber[] {
  if (!/(?:t|te|n)$/.test(word) || isGermanStopWord(word) || INFINITIVE_OR_ATTRIBUTE.test(before)) return []
  const form = verbForm(word)
  if (form === null || form.time === 'participle') return []
  return [[`${form.lemma} ${form.time}`, word.endsWith('n') ? 'several' : 'one']]
}

type NounNumbers = readonly [own: GrammaticalNumber | null, owner: GrammaticalNumber | null]
const UNTOLD: NounNumbers = [null, null]

function numbersOfNoun(reading: Reading, at: number): NounNumbers {
  const word = reading.words[at] as Word
  if (word.isStop || word.isExact || !(word.isThing || reading.isLowerCase)) return UNTOLD
  let place = at - 1
  while (at - place <= 2 && isAdjective(reading, place)) place--
  const article = reading.words[place]?.written ?? ''
  const before = reading.words[place - 1]
  if (OF_ONE.test(article) && word.written.endsWith('s')) return ['one', 'one']
  if (OF_SEVERAL.test(article) && (before?.isThing === true || BEFORE_OF.test(before?.written ?? ''))) return [null, 'several']
  if (ONE.test(article)) return ['one', null]
  if (SEVERAL.test(article)) return ['several', null]
  if (MALE.test(article)) return ONE_FORM.test(word.written) && !FEMININE.test(word.written) ? ['one', null] : UNTOLD
  if (!ACCUSATIVE.test(article)) return UNTOLD
  if (DATIVE_OF_SEVERAL.test(word.written)) return ['several', null]
  return word.written.endsWith('n') && BEFORE_DATIVE.test(before?.written ?? '') ? UNTOLD : ['one', null]
}

function isAdjective(reading: Reading, at: number): boolean {
  const word = reading.words[at]
  return word !== undefined && !word.isStop && !word.isExact && !word.isThing && ADJECTIVE.test(word.written)
}
