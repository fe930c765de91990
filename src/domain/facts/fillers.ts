/** Filler words, and the contexts in which the same words have a meaning. */

const ANY_TEXT = 'please actually basically currently kindly thanks thank hi hello hey located situated bitte danke hallo'.split(' ')
const GERMAN_TEXT = 'einfach eigentlich gerade derzeit aktuell mal denn stattfinden stattfindet'.split(' ')

/** Words without weight for what is asked or stated. Verbs are excluded: "I want a dog" is not "I know a dog". */
export const FILLERS: ReadonlySet<string> = new Set([...ANY_TEXT, ...GERMAN_TEXT])

const FILLERS_ELSEWHERE: ReadonlySet<string> = new Set(ANY_TEXT)

/** Whether a word is a filler in a text of its language. The German ones are none elsewhere: "mal" is bad or ill in many languages. */
export function isFiller(word: string, isGerman: boolean): boolean {
  return (isGerman ? FILLERS : FILLERS_ELSEWHERE).has(word)
}

/** Context of a filler. */
export interface FillerPlace {
  /** Adjacent words in lower case; empty for none. */
  readonly before: string
  readonly after: string
  /** The text without framing. */
  readonly text: string
  readonly names: ReadonlySet<string>
}

const POLITE_VERB = /^(?:thanks?|please)$/
/** Possible actors: a person, or a thing, which no small word is. */
const ACTING = /^(?:i|you|he|she|we|they|who|that)$/
const SMALL = /^(?:[a-z]{1,2}|me|him|her|them|and|but|not|for|with|from|one|can|could|would|will|should|must|may)$/
/** First words of an object; "thank you" thanks nobody in particular. */
const ACTED_ON = /^(?:the|an?|my|your|his|her|our|their|its|this|these|those|every|all|both|him|them|us|me)$/

/** Whether somebody does it to somebody: "Does the firm thank the client", "does the guest please the host". */
export function isMeantInEnglish(word: string, { before, after, names }: FillerPlace): boolean {
  if (!POLITE_VERB.test(word) || before === '') return false
  // "Who did Laura thank?": thanks for an answer would be "thanks", or name whom.
  if (word === 'thank' && after === '') return true
  return (ACTING.test(before) || !SMALL.test(before)) && (ACTED_ON.test(after) || names.has(after))
}

const ASKING_OR_THANKING = /^(?:ich (?:bitte|danke)|(?:bitte|danke) ich)(?!\p{L})/iu
const QUALITY = /^(?:gerade|einfach|aktuell)$/
const ARTICLE = /^(?:d(?:er|ie|as|en|em|es)|(?:[msdk]?ein|ihr|unser|eur|dies|jed|welch)(?:e[nmrs]?)?)$/
const BEING = /^(?:ist|sind|war|waren|wird|werden|bleibt|bleiben)$/
/** A yes-or-no question whether something has the quality. */
const ASKED_AT_END = /^(?:ist|sind|war|waren|wird|werden|bleibt|bleiben) .* (?:gerade|einfach|aktuell)[\s?.!]*$/iu
const SAID_AT_END = /(?:gerade|einfach|aktuell)[\s?.!]*$/iu

/** Whether the word has a meaning: "Ich danke dem Arzt", "eine gerade Zahl", "ist die Aufgabe einfach?". */
export function isMeantInGerman(word: string, { before, after, text, names }: FillerPlace): boolean {
  if (word === 'bitte' || word === 'danke') return ASKING_OR_THANKING.test(text)
  if (!QUALITY.test(word)) return false
  if (ARTICLE.test(before)) return names.has(after)
  return after === '' && (ASKED_AT_END.test(text) || (BEING.test(before) && SAID_AT_END.test(text)))
}
