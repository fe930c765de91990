/** What small words say: negation, who is meant, what is asked, and the relations between things. */
import type { Reading } from './words.js'

const NEGATIONS = new Set(
  (
    'not no nor never none nothing nobody nowhere neither without cannot unable impossible hardly barely rarely fail fails failed ' +
    'failing lack lacks lacking dont doesnt didnt cant couldnt wont wouldnt isnt arent wasnt werent shouldnt havent hasnt hadnt nicht ' +
    'nichts kein keine keinen keinem keiner keines nie niemals niemand nirgends weder ohne kaum selten unmöglich'
  ).split(' ')
)

/** Small words that must recur: left out or exchanged, they change what is meant. */
const RELATIONS = new Set(
  (
    'before after above below under over off only against between until except most more less least fewer few all every each both ' +
    'other same down up out once during through if unless because than from about by with always else instead own vor nach über unter ' +
    'nur gegen zwischen bis mehr weniger alle alles allen jede jeder jedes jeden immer aus von mit durch hinter wieder wenn falls ' +
    'seit manche beide als während weil außer statt ab'
  ).split(' ')
)

/** Of one class at most one form each: what is asked for is then still the same. */
const QUESTIONS: readonly (readonly [string, RegExp])[] = [
  ['quantity', /^(?:how (?:many|much)|wie ?viele?)\b/u],
  ['duration', /^(?:how long|wie lange)\b/u],
  ['frequency', /^(?:how often|wie oft)\b/u],
  ['degree', /^how (?:old|far|tall|big|high|deep|fast|heavy|large|wide|soon|late|early|expensive|cheap|good|bad|hot|cold)\b/u],
  ['degree', /^wie (?:alt|weit|groß|hoch|tief|schnell|schwer|spät|teuer|heiß|kalt|gut)\b/u],
  ['how', /^(?:how|wie)\b/u],
  ['why', /^(?:why|warum|wieso|weshalb)\b/u],
  ['when', /^(?:when|wann)\b/u],
  ['where', /^(?:where|wohin|woher|wo)\b/u],
  ['whose', /^(?:whose|wessen)\b/u],
  ['whom', /^(?:wem|wen)\b/u],
  ['who', /^(?:who|whom|wer)\b/u],
  ['what', /^(?:what|which|was|welche[rsmn]?)\b/u]
]
/** The same inside of a sentence. */
const EMBEDDED_QUESTIONS = QUESTIONS.map(([kind, pattern]) => [kind, new RegExp(`(?<!\\p{L})${pattern.source.slice(1)}`, 'u')] as const)
const YES_NO = openingPattern(
  'is|are|am|was|were|do|does|did|can|could|should|would|will|may|must|has|have|had|' +
    'ist|sind|bin|war|waren|kann|können|könnte|soll|sollte|darf|muss|wird|hat|habe|haben'
)
/** An instruction stays one with a question mark ("can you explain …?"). */
const INSTRUCTION = openingPattern(
  'explain|show|describe|list|write|give|help|create|translate|summari[sz]e|erklär|erkläre|zeig|zeige|beschreib|schreib|gib|hilf'
)
/** A question word at most this many words into its sentence still asks. */
const LEAD = /^(?:\W*(?:and|but|so|to|in|on|at|for|from|with|by|since|until|und|aber|seit|bis|an|auf|mit|von|für)\s+)?/u

/** Who is spoken of; `:o` where somebody is at the receiving end. German "sie" is she, they, or the polite you. */
const PERSONS = new Map<string, string>()
for (const [person, forms] of [
  ['i', 'i my mine myself ich mein meine meinen meinem meiner meines'],
  ['i:o', 'me mich mir'],
  ['you', 'you your yours yourself du dein deine deinen deinem deiner deines dich dir'],
  ['he', 'he his himself er seine seinen seinem seiner seines'],
  ['he:o', 'him ihn ihm'],
  ['she', 'she her hers herself ihre ihren ihrem ihrer ihres'],
  ['they', 'they their theirs'],
  ['we', 'we our ours wir unser unsere unseren unserem unserer'],
  ['we:o', 'us uns'],
  ['sie', 'sie ihnen ihr']
] as const) {
  for (const form of forms.split(' ')) PERSONS.set(form, person)
}
/** Before a noun a possessive; else the verb "to be". */
const GERMAN_HIS = /(?<!\p{L})[Ss]ein(?= \p{Lu})/u

const TENSES: readonly (readonly [string, RegExp])[] = [
  ['past', wordPattern('did|was|were|had|used to')],
  ['future', wordPattern('will|shall|going to')],
  ['duty', wordPattern('should|ought|must|have to|has to|need to|needs to')]
]
const GERMAN_TENSES: readonly (readonly [string, RegExp])[] = [
  ['past', wordPattern('war|waren|warst|hatten?|hattest|wurden?|konnten?|wollten?')],
  ['future', wordPattern('werden?|wirst|wird')],
  ['duty', wordPattern('soll|sollen|sollte[nst]*|muss|müssen|musst')],
  ['wish', wordPattern('will|willst|wollen|wollt')]
]

/** What somebody has is not what they are. */
const HAVING = wordPattern(
  "(?:have|has|'ve|habe|hast|hat|haben)(?: got)? (?:a|an|the|my|no|any|some|\\d+|ein|eine|einen|kein|keine|keinen|den|die|das)"
)
const BEING = wordPattern('(?:am|are|is|bin|bist|ist|sind) (?:a|an|the|my|no|ein|eine|kein|keine|der|die|das)')

/** Negating words, each with the content word that it stands before. */
export function negationsOf(reading: Reading): string[] {
  const negated: string[] = []
  let next = ''
  for (const word of reading.words.toReversed()) {
    if (NEGATIONS.has(word.text)) negated.push(next)
    if (!word.isStop) next = word.stem
  }
  return negated.reverse()
}

/** Small words that relate, compare or quantify. */
export function relationsOf(reading: Reading): string[] {
  return [...new Set(reading.words.filter((word) => word.isStop && RELATIONS.has(word.text)).map((word) => word.text))]
}

/** What the text asks for: one of the classes, `yes-no`, or null for a statement or an instruction. */
export function questionOf(reading: Reading): string | null {
  if (INSTRUCTION.test(reading.text)) return null
  const isAsked = reading.text.includes('?')
  const sentences = reading.text.toLowerCase().split(/(?<=[.!?])\s+/u)
  for (const sentence of sentences) {
    const start = sentence.replace(LEAD, '')
    const found = QUESTIONS.find(([, pattern]) => pattern.test(start))
    if (found !== undefined) return found[0]
    if (YES_NO.test(start) && (!isAsked || sentence.includes('?'))) return 'yes-no'
  }
  return isAsked ? embeddedQuestion(reading.text.toLowerCase()) : null
}

/** Persons that the text speaks of by pronoun, in order, each as often as it is named. */
export function personsOf(reading: Reading): string[] {
  const found = reading.words.flatMap((word) => (reading.names.has(word.text) && word.text === 'us' ? [] : (PERSONS.get(word.text) ?? [])))
  return reading.isGerman && GERMAN_HIS.test(reading.text) ? [...found, 'he'] : found
}

/** Past, future, duty and wish, by auxiliary verbs; having or being. */
export function tensesOf(reading: Reading): string[] {
  const found = (reading.isGerman ? GERMAN_TENSES : TENSES).filter(([, pattern]) => pattern.test(reading.text)).map(([tense]) => tense)
  return HAVING.test(reading.text) && !BEING.test(reading.text) ? [...found, 'having'] : found
}

function embeddedQuestion(text: string): string {
  return EMBEDDED_QUESTIONS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'yes-no'
}

function openingPattern(words: string): RegExp {
  return new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
}

function wordPattern(words: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'iu')
}
