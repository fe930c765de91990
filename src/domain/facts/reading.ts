/** A text read for comparing what it states: words in their order with what each is, and how it is asked. */
import { compatibilityForm } from '../text/normal-form.js'
import { isEnglishStopWord, isGermanStopWord } from '../text/stop-words.js'
import { termsOf } from '../text/terms.js'
import { tokensOf } from '../text/tokens.js'
import { withDigits } from './numbers.js'
import { canonicalWord } from './synonyms.js'
import type { Reading, Word } from './words.js'

/** Openings that wrap a question without changing it; "way to" and the like become the "how to" that they mean. */
const FRAMES: readonly (readonly [RegExp, string])[] = [
  [/^\W*(?:(?:hi|hey|hello|hallo|ok|okay|so|also|well|please|bitte)\b[\s,!.]*)+/iu, ''],
  [/\b(?:can|could|would|will) you (?:please )?tell me (?=the|my|your|his|her|our|their)\b/giu, 'what is '],
  [/\b(?:can|could|would|will) you (?:please )?(?:tell|show|explain to|remind) me (?:again )?/giu, ''],
  [/\b(?:can|could|would|will) you (?:please )?(?=explain|show|describe|list|write|give|help)/giu, ''],
  [/\b(?:(?:can|could|would|will) you )?(?:please )?explain (?:to me )?(?=how|what|who|when|where|why|which)/giu, ''],
  [/\b(?:please )?(?:tell|show) me (?=how|what|who|when|where|why|which)/giu, ''],
  [/\bdo you know (?=how|what|who|when|where|why|which|if|whether)/giu, ''],
  [/\bi (?:(?:want|need|would like) to know|am wondering|wonder) (?=how|what|who|when|where|why|which|if|whether)/giu, ''],
  [/\bi'(?:d like to know|m wondering) (?=how|what|who|when|where|why|which|if|whether)/giu, ''],
  [/\bwhat(?:'s| is|’s) the (?:best |easiest |right |correct |simplest |proper )?way (?:to|of|for)\b/giu, 'how to'],
  [/\bis there (?:a|any) (?:\w+ )?way (?:to|of|for)\b/giu, 'how to'],
  [/\bin (?:what|which) way (?:can|do|could|should)\b/giu, 'how do'],
  [/\bhow (?:would|can|could|do|does|might|may) (?:i|we|one|you|someone) (?:go about )?/giu, 'how to '],
  [/\bhow (?:am i|are we) able to\b/giu, 'how to'],
  [/\bhow come\b/giu, 'why'],
  [/\bwhat(?:'s| is|’s) the reason (?:that|why|for)?/giu, 'why'],
  [/\b(?:at )?what time\b/giu, 'when'],
  [/\b(?:kannst|könntest|würdest) du (?:mir )?(?:bitte )?(?:sagen|erklären|zeigen),? /giu, ''],
  [/\b(?:können|könnten) sie (?:mir )?(?:bitte )?(?:sagen|erklären|zeigen),? /giu, ''],
  [/\b(?:sag|zeig|erklär)e? mir(?: bitte)?,? (?=wie|was|wer|wann|wo|warum|welche)/giu, ''],
  [/\b(?:weißt du|ich (?:möchte|will) wissen|ich frage mich),? (?=wie|was|wer|wann|wo|warum|welche|ob)/giu, ''],
  [/\bgibt es (?:eine|die) möglichkeit,? /giu, 'wie '],
  [/\bum wie ?viel uhr\b/giu, 'wann'],
  [/\bwas kostet\b/giu, 'wie viel kostet']
]

/** Words without weight for what is asked or stated. Verbs are not among them: "I want a dog" is not "I know a dog". */
const FILLERS = new Set(
  (
    'please just simply actually basically really exactly currently kindly maybe perhaps thanks thank hi hello hey again ' +
    'bitte einfach eigentlich genau gerade derzeit aktuell vielleicht danke hallo'
  ).split(' ')
)

/** Question words, which are compared as such; not all of them are in the lists of stop words. */
const ASKING = new Set(
  'how what who whom whose when where why which wie was wer wem wen wessen wann wo woher wohin warum wieso weshalb'.split(' ')
)

/** In the lists of stop words, yet they say something: "I like dogs" is not "I have dogs". */
const TELLING = new Set(['like'])

/** Parts of German separable verbs, which stand at the end of a main clause. */
const PARTICLES = new Set(
  'ab an auf aus bei ein fest her herunter hin hinzu hoch los mit nach vor weg zu zurück zusammen um durch frei'.split(' ')
)

const NAME = /(?<=[\p{L}\p{N},;:'"“”()–-]\s["'“(]?)\p{Lu}[\p{L}\p{N}]*/gu
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{N}])/gu

export function readText(text: string): Reading {
  const unframed = withoutFrames(compatibilityForm(text).replaceAll('’', "'").replace(/\s+/gu, ' ').trim())
  const isGerman = germanEvidence(tokensOf(unframed).map((token) => token.text)) > 0
  const plain = withDigits(unframed, isGerman)
  const whole = termsOf(plain).filter((term) => !term.token.isPart)
  const isStopWord = isGerman ? isGermanStopWord : isEnglishStopWord
  const names = namesIn(plain)
  const isSmall = (word: string) => !TELLING.has(word) && (isStopWord(word) || FILLERS.has(word) || ASKING.has(word))
  const words = whole.map(({ token, term }) => {
    const word = canonicalWord(token.text)
    const stem = word === token.text ? term : word
    const isStop = token.kind === 'word' && isSmall(word) && !(word === 'a' && names.has('a'))
    return { text: word, stem, isStop, isExact: token.kind !== 'word' && /[^\p{L}]/u.test(word) }
  })
  const isLowerCase = !/\p{Lu}/u.test(plain)
  return { text: plain, words: isGerman ? withWholeVerbs(words) : words, isGerman, names, isLowerCase }
}

/** The words that carry content, in order. */
export function contentWords(reading: Reading): Word[] {
  return reading.words.filter((word) => !word.isStop)
}

function withoutFrames(text: string): string {
  let plain = text
  for (const [frame, replacement] of FRAMES) plain = plain.replace(frame, replacement)
  return plain.trim() === '' ? text : plain
}

function germanEvidence(words: readonly string[]): number {
  let evidence = 0
  for (const word of words) {
    if (isGermanStopWord(word)) evidence += 1
    if (isEnglishStopWord(word)) evidence -= 1
    if (/[äöüß]/.test(word)) evidence += 1
  }
  return evidence
}

/** "setze … zurück" read as "zurücksetze …", so that it compares with "zurücksetzen". */
function withWholeVerbs(words: readonly Word[]): Word[] {
  const particle = words.at(-1)
  const verb = words.findIndex((word, i) => i < 3 && !word.isStop && !word.isExact)
  const stem = words[verb]
  if (particle === undefined || stem === undefined || words.length < 3 || !PARTICLES.has(particle.text)) return [...words]
  const joined = { ...stem, text: particle.text + stem.text, stem: withoutUmlauts(particle.text) + stem.stem }
  return words.slice(0, -1).map((word, i) => (i === verb ? joined : word))
}

function withoutUmlauts(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}

function namesIn(text: string): ReadonlySet<string> {
  const isShouted = !/\p{Ll}/u.test(text)
  const found = [...(text.match(NAME) ?? []), ...(isShouted ? [] : (text.match(CAPITALS) ?? []))]
  return new Set(found.filter((name) => name !== 'I').map((name) => name.toLowerCase()))
}
