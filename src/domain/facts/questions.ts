/** Classifies what a text asks for. */
import { isAskingInAnyLanguage } from '../text/asking.js'
import type { Reading } from './words.js'

/** Ordered patterns by class; the first match decides. A class may have patterns for both languages. */
const QUESTIONS: readonly (readonly [string, RegExp])[] = [
  ['quantity', startPattern('how (?:many|much)|wie ?viele?')],
  ['duration', startPattern('how long|wie lange')],
  ['frequency', startPattern('how often|wie oft')],
  ['degree', startPattern('how (?:old|far|tall|big|high|deep|fast|heavy|large|wide|soon|late|early|expensive|cheap|good|bad|hot|cold)')],
  ['degree', startPattern('wie (?:alt|weit|groß|hoch|tief|schnell|schwer|spät|teuer|heiß|kalt|gut|breit|lang)')],
  ['how', startPattern('how|wie')],
  ['why', startPattern('why|warum|wieso|weshalb')],
  ['when:time', startPattern('clocktime|uhrzeit')],
  ['when:day', startPattern('calendarday|kalendertag')],
  ['when:month', startPattern('calendarmonth|kalendermonat')],
  ['when:year', startPattern('calendaryear (?:was|were|did)|kalenderjahr')],
  ['year', startPattern('calendaryear')],
  ['when', startPattern('when|wann')],
  ['whither', startPattern('wohin|where to|wo(?= .*(?<!\\p{L})hin[?.!]*$)')],
  ['whence', startPattern('woher|where from|wo(?= .*(?<!\\p{L})her[?.!]*$)')],
  ['where', startPattern('where|wo')],
  ['whose', startPattern('whose|wessen')],
  ['wem', startPattern('wem')],
  ['wen', startPattern('wen')],
  ['who', startPattern('who|whom|wer')],
  // Asks for one of several known things: "which is Max", not "what is Max".
  [
    'which',
    startPattern(
      'which (?:(?:is|are|was|were)(?! the )|do|does|did|can|has|have|will|would|should|of)|' +
        'welche[rsmn]? (?:(?:ist|sind|war|waren)(?! d(?:er|ie|as) )|hat|haben|kann|können|soll|sollen|muss|müssen|wird|werden|von)'
    )
  ],
  ['what', startPattern('what|which|was|welche[rsmn]?')]
]
/** "Wofür", "womit" and the like: each is a class of its own. */
const GERMAN_ABOUT = /^wor?(?:für|mit|ran|rüber|vor|von|rin|raus|durch|gegen|nach|rum|rauf|runter|zu|bei)(?!\p{L})/u
/** The same patterns within a sentence. */
const EMBEDDED_QUESTIONS = QUESTIONS.map(([kind, pattern]) => [kind, new RegExp(`(?<!\\p{L})${pattern.source.slice(1)}`, 'u')] as const)
const YES_NO = openingPattern(
  'whether|ob|is|are|am|was|were|do|does|did|can|could|should|would|will|may|must|has|have|had|' +
    'ist|sind|bin|war|waren|kann|können|könnte|soll|sollte|darf|muss|wird|hat|habe|haben'
)
/** An instruction remains one with a question mark ("can you explain …?"). */
const INSTRUCTION = openingPattern(
  'explain|show|describe|list|write|give|help|create|translate|summari[sz]e|erklär|erkläre|zeig|zeige|beschreib|schreib|gib|hilf'
)
/** Conjunctions and prepositions that may precede a question word. */
const LEAD = /^(?:\W*(?:and|but|so|to|in|on|at|for|from|with|by|since|until|und|aber|seit|bis|an|auf|mit|von|für)\s+)?/u

/** Class of a question, `yes-no`, or null for a statement or an instruction. */
export function questionOf(reading: Reading): string | null {
  if (INSTRUCTION.test(reading.text)) return null
  const isAsked = isAskingInAnyLanguage(reading.text)
  const sentences = reading.text.toLowerCase().split(/(?<=[.!?])\s+/u)
  for (const sentence of sentences) {
    const start = sentence.replace(LEAD, '')
    const about = GERMAN_ABOUT.exec(start)
    if (about !== null) return about[0]
    const found = QUESTIONS.find(([, pattern]) => pattern.test(start))
    if (found !== undefined) return found[0]
    if (YES_NO.test(start) && (!isAsked || sentence.includes('?'))) return 'yes-no'
  }
  return isAsked ? embeddedQuestion(reading.text.toLowerCase()) : null
}

/** Whether two classes differ. "when" is compatible with a year and with a time of day, but these are not with each other. */
export function asksOtherwise(own: string, other: string): boolean {
  return own !== other && !own.startsWith(`${other}:`) && !other.startsWith(`${own}:`)
}

function embeddedQuestion(text: string): string {
  return EMBEDDED_QUESTIONS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'yes-no'
}

/** Word boundary for any script: `\b` would match after ß. */
function startPattern(words: string): RegExp {
  return new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, 'u')
}

function openingPattern(words: string): RegExp {
  return new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
}
