/** Detects replies that leave a question open: those that do not know, or only ask back. English and German. */
import { sentencesOf } from '../../../src/domain/text/sentences.js'

/** Upper bound in UTF-16 units: a longer reply says something. */
const NO_ANSWER_LENGTH_MAX = 240

const COURTESY =
  /^(?:(?:oh|hm+|well|uh|um|ah|ok|okay|ach|äh|tja|naja|also|sorry|apologies|leider|unfortunately|entschuldigung)[\s,.!…–-]+)+/iu

const REGRET = /^i(?:'m| am) (?:(?:really|very|so|terribly) )?(?:sorry|afraid)[\s,.!;:–-]+(?:but )?/iu

/** Beginnings of sentences that say that something is not known. */
const IGNORANCE: readonly RegExp[] = [
  /^(?:i )?(?:really |honestly |still )?(?:do|did)(?: not|n'?t) (?:really |actually |currently )?(?:know|remember|recall)/iu,
  /^(?:i )?(?:really |honestly |still )?(?:do|did)(?: not|n'?t) (?:really |actually |currently )?(?:see|have) any/iu,
  /^(?:i )?(?:really |honestly |still )?(?:do|did)(?: not|n'?t) (?:really |actually |currently )?have (?:this|that|the|enough|a)(?!\p{L})/iu,
  /^(?:i )?(?:really |honestly |still )?(?:can'?t|can ?not|could not|couldn'?t) (?:say|tell|find|help|answer|recall|remember|see)/iu,
  /^(?:i )?(?:really |honestly |still )?have no (?:idea|clue|information|record|data)/iu,
  /^i(?:'m| am) (?:not (?:really |quite |entirely |at all )?(?:sure|certain|aware)|unsure|unable)/iu,
  /^(?:no (?:idea|clue)|not sure|not that i know|dunno|idk|(?:that|this|it) is(?: not|n't) (?:known|clear))/iu,
  /^(?:keine ahnung|kein(?:en)? plan|weiß nicht|nicht dass ich wüsste)/iu,
  /^(?:das |da )?(?:weiß|weiss) ich(?: \p{L}+){0,3} nicht/iu,
  /^ich (?:weiß|weiss) (?:\p{L}+ ){0,3}nicht/iu,
  /^ich bin (?:mir )?(?:\p{L}+ ){0,2}(?:nicht|un)\s?sicher/iu,
  /^(?:das |dazu |darüber |dafür )?habe? ich (?:\p{L}+ ){0,3}kein/iu,
  /^ich habe? (?:\p{L}+ ){0,3}kein(?:en?)? (?:ahnung|information|angabe|daten)/iu,
  /^(?:das |dazu )?kann ich (?:\p{L}+ ){0,3}nicht (?:sagen|beantworten|finden)/iu,
  /^ich kann (?:\p{L}+ ){0,4}nicht (?:sagen|beantworten|finden)/iu
]

/** Conjunctions after which a sentence goes on with what it does know. */
const EXCEPTION =
  /(?<![\p{L}\p{N}])(?:but|however|though|except|aber|jedoch|allerdings|sondern)(?![\p{L}\p{N}])(?! (?:i|ich|let|you)(?![\p{L}\p{N}]))/iu

/** Beginnings of sentences that say nothing on the matter: apologies, offers and requests. */
const FILLING: readonly RegExp[] = [
  /^(?:sorry|apologies|(?:i'm|i am) (?:\p{L}+ )?sorry|entschuldig(?:ung|e)|tut mir leid|es tut mir leid|leider nicht)(?![\p{L}\p{N}])/iu,
  /^(?:please|let me|one moment|moment|i(?:'ll| will| can| could) (?:look|check|ask|find)|if you)(?![\p{L}\p{N}])/iu,
  /^you (?:could|can|may|might) tell(?![\p{L}\p{N}])/iu,
  /^(?:bitte|lass mich|wenn (?:du|sie))(?![\p{L}\p{N}])/iu,
  /^ich (?:(?:schaue?|sehe|frage?) (?:\p{L}+ ){0,2}nach|prüfe? (?:das|es))(?![\p{L}\p{N}])/iu
]

const ASKED = /[?？]["'”’»)\]]*$/u

/** Whether no sentence says anything on the matter, and at least one says that it is not known, or asks. Bounded time for any text. */
export function isNoAnswer(text: string): boolean {
  const given = text.trim().replaceAll('’', "'")
  if (given.length > NO_ANSWER_LENGTH_MAX) return false
  let isOpen = false
  for (const whole of sentencesOf(given)) {
    const sentence = whole.trim()
    const bare = sentence.replace(COURTESY, '')
    if (ASKED.test(sentence) || isIgnorant(bare) || isIgnorant(sentence)) isOpen = true
    else if (!COURTESY.test(`${sentence} `) && !FILLING.some((filling) => filling.test(sentence))) return false
  }
  return isOpen
}

function isIgnorant(sentence: string): boolean {
  const bare = sentence.replace(REGRET, '')
  return IGNORANCE.some((beginning) => beginning.test(bare)) && !EXCEPTION.test(sentence)
}
