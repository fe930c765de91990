/** Reads a text for comparing facts: its words in order with their properties, and its question without framing. */
import type { Pieces } from '../pieces.js'
import { baseForm } from '../text/english-irregular.js'
import { stemEnglish } from '../text/english-stemmer.js'
import { readableForm, withoutAccents } from '../text/normal-form.js'
import { isEnglishStopWord, isGermanStopWord } from '../text/stop-words.js'
import { tokensOf, type Token } from '../text/tokens.js'
import { ENGLISH_FRAMES } from './english-frames.js'
import { isEnglishPast } from './english-past.js'
import { withActiveVoice } from './english-voice.js'
import { type FillerPlace, isFiller, isMeantInEnglish, isMeantInGerman } from './fillers.js'
import { withoutFrames } from './frames.js'
import { GERMAN_FRAMES } from './german-frames.js'
import { germanEvidence, withPlainArticles, withWholeVerbs } from './german-text.js'
import { verbForm } from './german-verbs.js'
import { withDigits } from './numbers.js'
import { canonicalEnglish, canonicalGermanNoun, canonicalGermanVerb, germanNounStem } from './synonyms.js'
import type { Reading, Word } from './words.js'

/** Question words, which another check compares; not all are stop words. */
const ASKING = new Set(
  (
    'how what who whom whose when where why which clocktime calendarday calendaryear calendarmonth wie was wer wem wen wessen wann wo woher ' +
    'wohin warum wieso weshalb uhrzeit kalendertag kalenderjahr kalendermonat'
  ).split(' ')
)

/** Stop words that nevertheless carry meaning: "I like dogs" is not "I have dogs". */
const TELLING = new Set(['like', 'get', 'gets', 'getting', 'got'])

/** Words followed by a noun or its attribute. */
const DETERMINERS = new Set(
  'a an the my your his her our their its this that these those any some no which what have has there of with for about at in on'.split(' ')
)

/** Capitalised words within a sentence, including those after a title or an initial, whose full stop ends no sentence. */
const NAME = /(?<=(?:[\p{L}\p{N},;:'"“”()–-]|\b(?:[MD]rs?|M[sx]|Prof|St|Sgt|Capt|Rev|Hr|Fr|\p{Lu})\.)\s["'“(]?)\p{Lu}[\p{L}\p{N}]*/gu
const CAPITALS = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]+(?![\p{L}\p{N}])/gu

/** Exponents: "10²" is not "102". */
const POWER = /(?<=\d)[²³¹⁰⁴-⁹]+/gu

/** Words read per piece: some tenths of a millisecond. */
const WORDS_A_PIECE = 64

/** Reads a text in pieces. */
export function* readText(text: string): Pieces<Reading> {
  const given = readableForm(text.replace(POWER, '^$&')).replaceAll('’', "'").replace(/\s+/gu, ' ').trim()
  const isGerman = germanEvidence(tokensOf(given).map((token) => token.text)) > 0
  const { text: unframed, participle } = isGerman
    ? { text: withPlainArticles(withWholeVerbs(yield* withoutFrames(withWholeVerbs(given), GERMAN_FRAMES))), participle: null }
    : withActiveVoice(yield* withoutFrames(given, ENGLISH_FRAMES))
  yield
  const plain = withDigits(unframed, isGerman)
  // Frames are replaced in lower case, so whether the text has capitals is seen from the original.
  const isLowerCase = !(/\p{Lu}/u.test(given) && /\p{Ll}/u.test(given))
  const names = isLowerCase ? new Set<string>() : namesIn(plain, { given, isGerman })
  const whole = tokensOf(plain).filter((token) => !token.isPart)
  const words: Word[] = []
  for (const [at, token] of whole.entries()) {
    if (at % WORDS_A_PIECE === WORDS_A_PIECE - 1) yield
    const place = { before: whole[at - 1]?.text ?? '', after: whole[at + 1]?.text ?? '', text: plain, names }
    const isMeant = isFiller(token.text, isGerman) && (isGerman ? isMeantInGerman : isMeantInEnglish)(token.text, place)
    const word = isGerman ? germanWord(token, place, isMeant) : englishWord(token, place, isMeant)
    // Its auxiliary has its tense.
    words.push(token.text === participle ? { ...word, written: `be ${token.text}`, time: null } : word)
  }
  return { text: plain, given, words, isGerman, names, isLowerCase }
}

/** Content words in order. */
export function contentWords(reading: Reading): Word[] {
  return reading.words.filter((word) => !word.isStop)
}

function englishWord(token: Token, { before, names }: FillerPlace, isMeant: boolean): Word {
  const plain = { ...wordOf(token, before), isEnglish: true, isThing: DETERMINERS.has(before) }
  const isStop = token.kind === 'word' && !isMeant && isSmall(token.text, false) && !(token.text === 'a' && names.has('a'))
  if (plain.isExact || token.kind === 'number' || isStop) return { ...plain, isStop }
  const base = baseForm(token.text)
  const text = canonicalEnglish(token.text, base, plain.isThing)
  const isName = names.has(token.text)
  const isPast = !isName && isEnglishPast(token.text)
  const form = !isPast ? null : base === token.text || text !== token.text ? 'regular' : 'irregular'
  const stem = withoutAccents(stemEnglish(text === token.text ? base : text))
  return { ...plain, text, stem, isStop, isName, form, time: isPast ? 'past' : null }
}

function germanWord(token: Token, { before, names }: FillerPlace, isMeant: boolean): Word {
  const plain = { ...wordOf(token, before), isThing: names.has(token.text) }
  const isStop = token.kind === 'word' && !isMeant && isSmall(token.text, true)
  if (token.kind !== 'word' || isStop) return { ...plain, isStop }
  const isAttribute = /^(?:d(?:er|ie|as|en|em|es)|(?:[msdk]?ein|ihr|unser|eur|dies|jed)(?:e[nmrs]?)?)$/.test(before)
  const form = names.has(token.text) || isAttribute ? null : verbForm(token.text)
  const own = form?.lemma ?? germanNounStem(token.text)
  const meaning = names.has(token.text) ? canonicalGermanNoun(own) : canonicalGermanVerb(own)
  const text = meaning ?? token.text
  const stem = meaning ?? own
  return { ...plain, text, stem, isStop, form: form === null ? null : 'verb', time: form?.time ?? null }
}

function wordOf(token: Token, before: string): Word {
  const { text } = token
  const isExact = token.kind !== 'word' && /[^\p{L}]/u.test(text)
  return {
    text,
    written: text,
    stem: text,
    isStop: false,
    isExact,
    isEnglish: false,
    isName: false,
    isThing: false,
    before,
    form: null,
    time: null
  }
}

function isSmall(word: string, isGerman: boolean): boolean {
  const isStopWord = isGerman ? isGermanStopWord : isEnglishStopWord
  return !TELLING.has(word) && (isStopWord(word) || isFiller(word, isGerman) || ASKING.has(word))
}

/** Words with a capital within a sentence. A small word has to have it there as given: frames move the beginning of a text into it. */
function namesIn(plain: string, { given, isGerman }: Pick<Reading, 'given' | 'isGerman'>): ReadonlySet<string> {
  const written = plain === given ? null : capitalised(given)
  return new Set([...capitalised(plain)].filter((name) => written?.has(name) !== false || !isSmall(name, isGerman)))
}

function capitalised(text: string): ReadonlySet<string> {
  const found = [...(text.match(NAME) ?? []), ...(text.match(CAPITALS) ?? [])]
  return new Set(found.filter((name) => name !== 'I').map((name) => name.toLowerCase()))
}
