/** Prepares a German text before its words are read one by one. */
import { isOfOtherLanguage, isOtherQuestionWord } from '../text/asking.js'
import { isEnglishStopWord, isGermanStopWord } from '../text/stop-words.js'

/** German words that identify the language of a short question but are missing from the stop words, or are in the English ones too. */
const GERMAN_ONLY = new Set(
  (
    'wann warum wieso weshalb woher wohin wessen wem wen kostet kosten bedeutet wiegt heißt gibt geht macht kommt liegt steht läuft fährt ' +
    'welche welcher welches gern gerne bitte hat wird worum womit wofür woran'
  ).split(' ')
)
const GERMAN_ENDING = /(?:ung|ungen|keit|heit|schaft|lich|tet|iert|ieren|chen|isch)$/

/** Separable verb prefixes, which stand at the end of a main clause. */
const PARTICLES = new Set(
  'ab an auf aus bei ein fest her herunter hin hinzu hoch los mit nach vor weg zu zurück zusammen um durch frei runter'.split(' ')
)

const ARTICLES_WITHIN = new Map([
  ['am', 'an dem'],
  ['im', 'in dem'],
  ['zum', 'zu dem'],
  ['zur', 'zu der'],
  ['vom', 'von dem'],
  ['beim', 'bei dem'],
  ['ins', 'in das'],
  ['ans', 'an das'],
  ['aufs', 'auf das'],
  ['fürs', 'für das'],
  ['durchs', 'durch das'],
  ['ums', 'um das'],
  ['übers', 'über das'],
  ['überm', 'über dem'],
  ['unters', 'unter das'],
  ['unterm', 'unter dem'],
  ['vors', 'vor das'],
  ['vorm', 'vor dem'],
  ['hinters', 'hinter das'],
  ['hinterm', 'hinter dem']
])

/** Positive if a text is more likely German than English or another language: "es", "er", "wie" and umlauts are of several. */
export function germanEvidence(words: readonly string[]): number {
  let evidence = 0
  for (const word of words) {
    if (isGermanStopWord(word) || GERMAN_ONLY.has(word)) evidence += 1
    if (isOtherQuestionWord(word)) return 0
    if (isEnglishStopWord(word) || isOfOtherLanguage(word)) evidence -= 1
    if (/[äöüß]/.test(word) || (word.length >= 6 && GERMAN_ENDING.test(word))) evidence += 1
  }
  return evidence
}

/** Rejoins separable verbs in each clause: "setze … zurück" becomes "zurücksetze …", so that it compares with "zurücksetzen". */
export function withWholeVerbs(text: string): string {
  return text.replace(/[^,.;:!?]+/gu, (clause, at: number) => {
    const words = clause.split(' ')
    const particle = words.at(-1) ?? ''
    if (words.length < 3 || !PARTICLES.has(particle)) return clause
    const verb = words.findIndex((word, i) => i < VERB_PLACES && isVerb(word, at === 0 && i === 0))
    if (verb === -1 || verb === words.length - 1) return clause
    return words
      .slice(0, -1)
      .map((word, i) => (i === verb ? particle + word.toLowerCase() : word))
      .join(' ')
  })
}

/** Positions in which the verb is looked for: it is the second constituent of a main clause, and the first is short. */
const VERB_PLACES = 5

function isVerb(word: string, isFirst: boolean): boolean {
  const isWord = isFirst ? /^\p{L}{3,}$/u.test(word) : /^\p{Ll}{3,}$/u.test(word)
  return isWord && !isGermanStopWord(word.toLowerCase()) && !GERMAN_QUESTIONS.has(word.toLowerCase())
}

const GERMAN_QUESTIONS = new Set('wann warum wieso weshalb woher wohin wessen wem wen worum womit wofür woran uhrzeit'.split(' '))

/** Splits contracted articles from prepositions: "im" becomes "in dem". */
export function withPlainArticles(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => ARTICLES_WITHIN.get(word) ?? word)
}
