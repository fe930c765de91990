/** Classifies English requests by mood and kind of verb. */
import { isEnglishStopWord } from '../text/stop-words.js'
import { isEnglishPast } from './english-past.js'
import { openingOf, type Request, wordsOf } from './request.js'

/** Verbs of telling, showing or working out; the answer is the same whenever it is asked for. */
const TELLING = wordsOf(
  'explain describe define list name translate compare contrast calculate compute convert spell solve count conjugate identify outline ' +
    'discuss recall estimate evaluate analyze analyse clarify interpret pronounce simplify derive prove classify distinguish determine specify ' +
    'illustrate quote cite find summarize summarise show teach recommend suggest guess justify state mention elaborate enumerate extract factor ' +
    'explore imagine assume suppose consider see look understand learn know decide'
)

/** Verbs of doing or making; what they ask for is done again each time. Other verbs are recognised by their object and need no entry. */
const DOING = wordsOf(
  'put add send remind delete remove cancel deploy install write create generate make buy build bring set turn switch start stop restart run rerun ' +
    'open close book order call ring phone email mail message text ping post publish reply respond forward save store log note record track play ' +
    'pause resume skip repeat retry redo undo try go continue keep move rename merge commit push pull rebase revert draft compose invent design ' +
    'draw paint roll flip pick choose shuffle toss sing say read ask quiz test mark tag assign reassign escalate archive schedule reschedule ' +
    'reserve wake remember forget pay transfer fix debug refactor rewrite rephrase shorten improve format clean tidy update upgrade refresh ' +
    'reload check monitor watch search google browse fetch download upload print scan share invite water feed take get fill lock unlock enable ' +
    'disable mute unmute increase decrease raise lower dim submit register unregister sign log be wait hold hit act pretend use come leave ' +
    'brainstorm produce prepare plan cook order subscribe unsubscribe block unblock attach insert append replace swap copy paste crop resize ' +
    'apply approve reject accept decline confirm ship return charge refund bill'
)

/** Prepositions and words of degree, time and manner, which stand before an article but are no verbs. */
const NO_VERBS = wordsOf(
  'half twice quite such rather maybe perhaps thanks sorry happy good best better nice tomorrow today yesterday tonight sometimes often always ' +
    'soon later even instead unlike per via except despite within regarding concerning around near behind besides across along among onto toward ' +
    'towards whatever whichever almost nearly beyond inside outside opposite plus minus versus till lots plenty whatever worth what much many ' +
    'right left early late last next since never home'
)

/** Verbs that may ask about people in general: "can you put iron in the dishwasher?" asks for no deed. */
const GENERAL = wordsOf('put pay use take cook get fill run store keep play try')

const POLITE =
  /^(can|could|would|will) (?:you|u|someone|somebody) (?:(?:please|kindly|just|maybe|also|quickly|perhaps|be able to|be so kind as to) ){0,3}(.*)$/iu
const MINDING = /^(?:would|do) you mind (\p{L}+)ing /iu
const WISHING = /^i(?:(?:'d| would) (?:like|love|prefer)(?: for)?| want| need) you to (.*)$/iu
const FORBIDDING = /^(?:don't|do not|never|always) \p{L}+ /iu
/** Directed at the listener: on somebody's behalf, or about a thing that both know. */
const FOR_SOMEBODY = /(?<!\p{L})(?:please|me|us|my|our)(?!\p{L})/iu
const KNOWN_THING = /(?<!\p{L})(?:the|this|that|these|those|it|them|him|her)(?!\p{L})/iu
const KNOWN_OBJECT = /^\p{L}+ (?:(?:up|down|on|off|out|back) )?(?:the|this|that|these|those|it|them|him|her)(?!\p{L})/iu

/** Another one, or more, of something. */
const ANEW =
  '(?:(?:yet )?another|(?:one|two|three|four|five|ten|a few|some|any|\\d{1,3}) (?:more|other)|more(?! than)|an? (?:new|different)|(?:some|any)thing (?:else|new|different))(?!\\p{L})'
const WANTING_ANEW = new RegExp(
  `^(?:i(?:'d| would) (?:like|love)|i (?:want|need)|(?:can|could|may) i (?:have|get|hear|see)|let me (?:have|hear|see)) (?:to (?:have|get|hear|see|read) )?(?!an? new)${ANEW}`,
  'iu'
)
const ANEW_ALONE =
  /^(?:yet another|another|one more|(?:a few|some|two|three) more)(?! (?:question|thing|topic|subject|matter|point))(?!\p{L})/iu
const OBJECT_ANEW = new RegExp(`^(?:(?:me|us|with|about|up|out) ){0,2}${ANEW}`, 'iu')

const ASKING = /^(?:how|what|who|whom|whose|when|where|why|which|is|are|was|were|does|did|has|should|may|must|shall)(?!\p{L})/iu
const ASKED_ABOUT = '(?:how|what|who|whom|whose|when|where|why|which|if|whether)'

/** Something unspecified, which the teller chooses. */
const TOLD_ANEW = /^(?:me|us)(?: please)? (?:an?|some|something) (?!(?:bit|little|few|thing|word)\b|\p{L}+ (?:to|of)\b|about\b)/iu
const TOLD = new RegExp(`^(?:(?:me|us)(?!\\p{L})|(?:about|apart|again|${ASKED_ABOUT})(?!\\p{L}))`, 'iu')
const REMINDED = new RegExp(`^(?:me|us) (?:again )?${ASKED_ABOUT}(?!\\p{L})`, 'iu')
const GIVEN = /^(?:me|us|the|an?|all|some|examples?|reasons?|details?|\d+|two|three|four|five|ten)(?!\p{L})/u
const HELPED = /^(?:me|us) (?:to |please )?(?=\p{L})(.*)$/iu

/** Object of a verb. Excludes a letter that names something ("vitamin A") and a time ("weather this weekend"). */
const OBJECT =
  /^(?:(?:back|up|down|off|out|on|over|away) )?(?:the|an?|my|your|his|her|its|our|their|this|these|those|it|me|us|him|them|all (?:the|my|of)|both|every|each|some|another)(?![\p{L}'])(?! (?:morning|afternoon|evening|night|week|weekend|month|year|time|summer|winter|spring|autumn|\p{L}+day)(?!\p{L}))/u

/** Kind of request; null if the sentence is no request in English. The sentence must begin with its first significant word. */
export function englishRequest(sentence: string): Request {
  const [, minded] = MINDING.exec(sentence) ?? []
  if (minded !== undefined) return /^(?:tell|explain|show|describ)$/i.test(minded) ? 'answer' : 'deed'
  const [, can = '', asked] = POLITE.exec(sentence) ?? []
  if (asked !== undefined) {
    return imperative(asked, { isQuestion: true }) === 'deed' && isAskedOf(can, asked, sentence) ? 'deed' : 'answer'
  }
  const [, wished] = WISHING.exec(sentence) ?? []
  if (wished !== undefined) return imperative(wished, {}) ?? 'deed'
  if (WANTING_ANEW.test(sentence)) return 'deed'
  if (ASKING.test(sentence)) return 'answer'
  if (sentence.includes('?')) return null
  if (ANEW_ALONE.test(sentence) || FORBIDDING.test(sentence) || /^(?:let's|lets|let us) /i.test(sentence)) return 'deed'
  return imperative(sentence, {})
}

function imperative(sentence: string, { isQuestion = false }: { readonly isQuestion?: boolean }): Request {
  const { verb, rest } = openingOf(sentence)
  const known = verb.toLowerCase()
  const isTelling = TELLING.has(known)
  if ((isTelling || known === 'tell' || known === 'give') && OBJECT_ANEW.test(rest)) return 'deed'
  if (isTelling) return 'answer'
  switch (known) {
    case 'tell':
      return TOLD_ANEW.test(rest) || !TOLD.test(rest) ? 'deed' : 'answer'
    case 'remind':
      return REMINDED.test(rest) ? 'answer' : 'deed'
    case 'give':
      return GIVEN.test(rest) ? 'answer' : 'deed'
    case 'help':
      return imperative(HELPED.exec(rest)?.[1] ?? '', { isQuestion }) ?? 'answer'
    case 'let':
      return 'answer'
  }
  if (DOING.has(known)) return /^(?:of|is|are|was|were|vs|versus)(?!\p{L})/iu.test(rest) ? null : 'deed'
  return !isQuestion && isBaseForm(known) && OBJECT.test(rest) ? 'deed' : null
}

/** "Could you" addresses the listener. "Can you" may ask what is generally possible, and "would you" what the other thinks. */
function isAskedOf(can: string, asked: string, sentence: string): boolean {
  if (/^could$/i.test(can) || FOR_SOMEBODY.test(sentence)) return true
  const [verb = ''] = asked.toLowerCase().split(' ')
  return (GENERAL.has(verb) ? KNOWN_OBJECT : KNOWN_THING).test(asked)
}

/** Whether a word may be an imperative, that is a verb in its base form. */
function isBaseForm(word: string): boolean {
  if (word.length < 2 || NO_VERBS.has(word) || isEnglishStopWord(word) || isEnglishPast(word)) return false
  return !/(?:ing|ed|ly|[^s]s)$/.test(word)
}
