/**
 * Texts that ask for something to be done or made anew: "put butter on the list", "tell me another joke". Repeated, they ask for it again,
 * so no memory answers them. Telling, showing and working out are no tasks: "explain X", "list the parts of X".
 */
import { isUnknownRequest } from '../text/asking.js'
import { sentencesOf } from '../text/sentences.js'
import { englishRequest } from './english-tasks.js'
import { germanRequest } from './german-tasks.js'
import type { Request } from './request.js'
import { romanceRequest } from './romance-tasks.js'

/** Length of the beginning of a text, in UTF-16 units, that is read: requests come early. */
const READ_CHARACTERS = 400
/** Sentences read, the first ones. */
const SENTENCES_MAX = 8

/** Possible text before a request or a question: politeness, a name, a condition. */
const BEFORE = [
  /^[^\p{L}\p{N}¿¡]+/u,
  /^(?:(?:please|pls|kindly|just|now|then|so|and|but|also|ok|okay|alright|great|good|perfect|thanks|thank you|hi|hey|hello|sorry|yes|no|tomorrow|tonight|bitte|jetzt|nun|dann|und|aber|also|danke|hallo|gut|ja|nein|morgen|heute|et|y|e|por favor|per favore|s'il (?:te|vous) pla[iî]t)(?![\p{L}\p{N}'-])[\s,.!:;–-]*){1,6}/iu,
  /^(?:if|when|once|before|after|as soon as|whenever|at|in|on|by|wenn|sobald|bevor|nachdem|falls|um|am|im)(?!\p{L})[^,?]{1,100},\s*(?:then |dann )?/iu,
  /^\p{L}{2,20},\s+(?:please |bitte )?/iu,
  /^be so kind (?:as to|and) /iu
]

/** Whether the text asks for something to be done or made, and for nothing to be told. */
export function isTask(text: string): boolean {
  return requestIn(text) === 'deed'
}

/**
 * Whether the text asks for something to be done, or may do so in a language whose requests are not known. Repeated, such a text is not
 * answered by what was answered then.
 */
export function mayBeTask(text: string): boolean {
  const request = requestIn(text)
  // A question mark alone makes no question of a polite request: "Você pode apagar a luz?"
  return request === 'deed' || (isUnknownRequest(text) && (request === null || /[?？؟]/u.test(text)))
}

function requestIn(text: string): Request {
  const plain = text.slice(0, READ_CHARACTERS).replaceAll('’', "'")
  let isDeed = false
  for (const sentence of sentencesOf(plain).slice(0, SENTENCES_MAX)) {
    const request = requestOf(sentence.replace(/\s+/gu, ' ').trim())
    if (request === 'answer') return 'answer'
    isDeed ||= request === 'deed'
  }
  // A long text may still ask something after the part that was read.
  if (text.slice(READ_CHARACTERS).includes('?')) return 'answer'
  return isDeed ? 'deed' : null
}

function requestOf(sentence: string): Request {
  let rest = sentence
  for (const before of BEFORE) rest = rest.replace(before, '')
  // Nothing but politeness: "thank you", "ok then".
  if (rest === '') return null
  const found = englishRequest(rest) ?? germanRequest(rest) ?? romanceRequest(rest)
  return found ?? (/[?？؟]/u.test(sentence) ? 'answer' : null)
}
