/** Reads an English passive that names who does it as an active, since both state the same. */
import { isEnglishPast } from './english-past.js'
import { FRAMED_LENGTH_MAX } from './frames.js'

/** The forms of "be", each with what stands for it in the active. */
const BEING = new Map([
  ['is', 'does'],
  ['are', 'does'],
  ['was', 'did'],
  ['were', 'did']
])
const MODALS = new Set('will would can could shall should may might must'.split(' '))

/** Whether a text between the auxiliary and the verb belongs to another tense: "is being built", "has been built". */
const OTHER_TENSE = /^(?:be|been|being|is|are|was|were)$/

/** What asks for a circumstance, in front of the auxiliary. Not "how": "how is it sorted by date" names no one who does it. */
const CIRCUMSTANCE = /^(?:why|when|where|how (?:often|quickly|fast|soon|well|badly)|whether|calendar(?:day|month|year)|clocktime)$/

/** What asks for a person or a thing. */
const ASKED = /^(?:whom?|what|which|how many|how much)(?= |$)/

/** Personal pronouns, as an object and as a subject. */
const PRONOUNS = [
  ['me', 'i'],
  ['him', 'he'],
  ['her', 'she'],
  ['us', 'we'],
  ['them', 'they'],
  ['whom', 'who']
] as const
const SUBJECTS: ReadonlyMap<string, string> = new Map(PRONOUNS)
const OBJECTS: ReadonlyMap<string, string> = new Map(PRONOUNS.map(([object, subject]) => [subject, object]))

/** A passive clause without its "by". */
interface Passive {
  /** What stands in front of the auxiliary: nothing, a question, or who suffers it. */
  readonly lead: string
  /** The auxiliary of the active. */
  readonly auxiliary: string
  /** What stands between auxiliary and verb: in a question, who suffers it. */
  readonly inside: string
  readonly participle: string
}

/** A text in the active voice, with its verb as it stood in the passive; null where the text was none. */
export interface Voiced {
  readonly text: string
  readonly participle: string | null
}

/**
 * "Why was the goal cancelled by the referee" becomes "why did the referee cancelled the goal". Returned unchanged: a long text, one of
 * several clauses, and one in which "by" does not follow a participle or what is asked for.
 */
export function withActiveVoice(text: string): Voiced {
  const unchanged = { text, participle: null }
  if (text.length > FRAMED_LENGTH_MAX || !/\bby\b/i.test(text)) return unchanged
  const plain = text.replace(/[?.!\s]{1,9}$/u, '')
  const words = plain.split(' ')
  const places = words.flatMap((word, at) => (word.toLowerCase() === 'by' ? [at] : []))
  if (places.length !== 1 || /[,;:.?!]/u.test(plain)) return unchanged
  const by = places[0] as number
  const isAgentAsked = by === 0 || by === words.length - 1
  const passive = passiveOf(words.filter((_, at) => (isAgentAsked ? at !== by : at < by)))
  if (passive === null) return unchanged
  const active = activeOf(passive, isAgentAsked ? null : words.slice(by + 1).join(' '))
  return active === null ? unchanged : { text: active + text.slice(plain.length), participle: passive.participle }
}

/** `agent`: what stands behind "by"; null if it is asked for. */
function activeOf({ lead, auxiliary, inside, participle }: Passive, agent: string | null): string | null {
  const doing = (subject: string, suffering: string): string =>
    `${asSaidBy(SUBJECTS, subject)} ${auxiliary} ${participle} ${asSaidBy(OBJECTS, suffering)}`
  if (agent === null) return isAsked(lead) && inside !== '' ? doing(lead, inside) : null
  if (inside === '') {
    if (lead === '') return null
    return isAsked(lead) && !isAsked(agent) ? `${lead} ${auxiliary} ${asSaidBy(SUBJECTS, agent)} ${participle}` : doing(agent, lead)
  }
  if (lead !== '' && !CIRCUMSTANCE.test(lead.toLowerCase())) return null
  return `${lead} ${auxiliary} ${asSaidBy(SUBJECTS, agent)} ${participle} ${asSaidBy(OBJECTS, inside)}`.trim()
}

function isAsked(phrase: string): boolean {
  return ASKED.test(phrase.toLowerCase())
}

/** Null where the words are no passive in a simple tense. */
function passiveOf(words: readonly string[]): Passive | null {
  const participle = (words.at(-1) ?? '').toLowerCase()
  const at = words.findIndex((word) => BEING.has(word.toLowerCase()) || MODALS.has(word.toLowerCase()))
  if (at < 0 || !isEnglishPast(participle)) return null
  const auxiliary = (words[at] as string).toLowerCase()
  const isModal = MODALS.has(auxiliary)
  if (isModal && words.at(-2)?.toLowerCase() !== 'be') return null
  const inside = words.slice(at + 1, isModal ? -2 : -1)
  if (inside.some((word) => OTHER_TENSE.test(word.toLowerCase()))) return null
  return { lead: words.slice(0, at).join(' '), auxiliary: BEING.get(auxiliary) ?? auxiliary, inside: inside.join(' '), participle }
}

/** The phrase as an object, or as a subject. */
function asSaidBy(forms: ReadonlyMap<string, string>, phrase: string): string {
  const [first = '', ...others] = phrase.split(' ')
  const known = others.length === 0 ? forms.get(first.toLowerCase()) : undefined
  return [known ?? first, ...others].join(' ')
}
