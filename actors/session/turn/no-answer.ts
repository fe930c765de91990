/** Replies that leave a question open: they do not know, or only ask back. English and German. */
import { sentencesOf } from '../../../src/domain/text/sentences.js'

/** UTF-16 units: what is longer says something. */
const NO_ANSWER_LENGTH_MAX = 240

const COURTESY =
  /^(?:(?:oh|hm+|well|uh|um|ah|ok|okay|ach|äh|tja|naja|also|sorry|apologies|leider|unfortunately|entschuldigung)[\s,.!…–-]+)+/iu

const IGNORANCE =
  /^(?:i(?:'m| am) (?:(?:really|very|so|terribly) )?(?:sorry|afraid)[\s,.!;:–-]+(?:but )?)?(?:(?:i )?(?:really |honestly |still )?(?:(?:do not|don'?t|didn'?t|did not) (?:really |actually |currently )?(?:know|have (?:that|this|any|the|enough|an?|access)|remember|recall|see any)|(?:can'?t|can ?not|could not|couldn'?t) (?:say|tell|find|help|answer|recall|remember|see)|have no (?:idea|clue|information|record|data))|i(?:'m| am) (?:not (?:really |quite |entirely |at all )?(?:sure|certain|aware)|unsure|unable)|no (?:idea|clue)|not sure|not that i know|dunno|idk|(?:that|this|it) is(?: not|n't) (?:known|clear)|keine ahnung|kein(?:en)? plan|weiß nicht|(?:das |da )?(?:weiß|weiss) ich(?: [\p{L}]+){0,3} nicht|ich (?:weiß|weiss) (?:[\p{L}]+ ){0,3}nicht|ich bin (?:mir )?(?:[\p{L}]+ ){0,2}(?:nicht|un)\s?sicher|(?:das |dazu |darüber |dafür )?(?:habe?|hab) ich (?:[\p{L}]+ ){0,3}kein|ich habe? (?:[\p{L}]+ ){0,3}kein(?:e|en)? (?:ahnung|information|angabe|daten)|(?:das |dazu )?kann ich (?:[\p{L}]+ ){0,3}nicht (?:sagen|beantworten|finden)|ich kann (?:[\p{L}]+ ){0,4}nicht (?:sagen|beantworten|finden)|nicht dass ich wüsste)/iu

/** A reply that goes on with what it does know. */
const EXCEPTION =
  /(?<![\p{L}\p{N}])(?:but|however|though|except|aber|jedoch|allerdings|sondern)(?![\p{L}\p{N}])(?! (?:i|ich|let|you)(?![\p{L}\p{N}]))/iu

/** Says nothing of the matter: thanks, offers and what is asked of the other. */
const FILLING =
  /^(?:sorry|apologies|(?:i'm|i am) (?:\p{L}+ )?sorry|entschuldigung|entschuldige|tut mir leid|es tut mir leid|leider nicht|please|bitte|let me|lass mich|one moment|moment|i(?:'ll| will| can| could) (?:look|check|ask|find)|ich (?:schaue?|sehe|frage?|prüfe?) |if you|wenn du|wenn sie|you (?:could|can|may|might) tell)(?![\p{L}\p{N}])/iu

const ASKED = /[?？]["'”’»)\]]*$/u

/** Every sentence of it leaves the matter open, and one of them says so or asks. Takes the same time for any length of text. */
export function isNoAnswer(text: string): boolean {
  const given = text.trim().replaceAll('’', "'")
  if (given.length > NO_ANSWER_LENGTH_MAX) return false
  let isOpen = false
  for (const whole of sentencesOf(given)) {
    const sentence = whole.trim()
    const bare = sentence.replace(COURTESY, '')
    if (ASKED.test(sentence) || isIgnorant(bare) || isIgnorant(sentence)) isOpen = true
    else if (bare !== '' && !COURTESY.test(`${sentence} `) && !FILLING.test(sentence)) return false
  }
  return isOpen
}

function isIgnorant(sentence: string): boolean {
  return IGNORANCE.test(sentence) && !EXCEPTION.test(sentence)
}
