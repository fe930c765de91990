/**
 * What the wording of a turn says about its place in a conversation, whatever it is about: whether it asks, and whom. A question
 * and its answer are one adjacency pair: Schegloff and Sacks, "Opening up closings" (1973). English and German.
 */
/** UTF-16 units read at either end of a text: where a turn links to the last one and to the next. */
const EDGE_CHARACTERS = 400
const QUESTION_MARK = /[?？](?=["')\]]?(?:\s|$))/u
const ASKING_START = new RegExp(
  '^\\W*(?:(?:hi|hey|hello|ok|okay|so|and|but|please|hallo|und|aber|bitte|also)\\W+)*(?:' +
    'what|how|why|when|where|who|whom|whose|which|can|could|do|does|did|is|are|was|were|should|would|will|may|shall|has|have you|' +
    "tell|explain|write|show|give|help|find|make|create|list|translate|describe|summari[sz]e|compare|let's|i want|i need|i'd like|" +
    'wie|was|warum|wieso|weshalb|wann|wo|woher|wohin|wer|wem|wen|welche[rsmn]?|kann|kannst|können|könnte|könntest|ist|sind|soll|sollte|' +
    'darf|muss|gibt es|hast du|haben sie|erklär|erkläre|schreib|schreibe|zeig|zeige|gib|hilf|finde|mach|übersetze?|beschreibe?|nenne?|' +
    'ich möchte|ich will|ich brauche' +
    ')(?![\\p{L}\\p{N}])',
  'iu'
)
const SECOND_PERSON = /(?<![\p{L}\p{N}])(?:you|your|yours|u|ur|du|dich|dir|dein\p{L}*|euch|euer|eure\p{L}*)(?![\p{L}\p{N}])/iu
const REQUEST =
  /(?<![\p{L}\p{N}])(?:can|could|would|will|kannst|könntest|würdest|können|könnten|würden) (?:you|u|du|sie|ihr|mir)(?![\p{L}\p{N}])/iu

/** It asks or requests something. All of these cost the same for any length of text. */
export function isAsking(text: string): boolean {
  return hasQuestionMark(text) || ASKING_START.test(startOf(text))
}

/** It asks the other about themselves ("do you have pets?"), as people open a subject. A request ("can you …?") is not meant. */
export function isPersonalQuestion(text: string): boolean {
  const start = startOf(text)
  return hasQuestionMark(text) && SECOND_PERSON.test(start) && !REQUEST.test(start)
}

/** A question stands near its end: what follows is likely the answer. */
export function isOpenQuestion(text: string): boolean {
  return QUESTION_MARK.test(endOf(text))
}

function hasQuestionMark(text: string): boolean {
  return QUESTION_MARK.test(startOf(text)) || QUESTION_MARK.test(endOf(text))
}

function startOf(text: string): string {
  return text.slice(0, EDGE_CHARACTERS)
}

function endOf(text: string): string {
  return text.slice(-EDGE_CHARACTERS)
}
