/** Who does something and to whom, where one text may leave the actor out: "where do you keep it", "where is it kept". */
import { type Facts, isMissing } from './facts.js'

/**
 * Whether the texts speak of other persons, or of the same ones in another order. The actor may be missing where the other text uses the
 * passive.
 */
export function hasOtherPerson(a: Facts, b: Facts): boolean {
  const [own, others] = [a.persons(), b.persons()]
  if (own.some((person) => !others.includes(person) && !isUnsaid(person, a, b))) return true
  return own.length === others.length && own.some((person, at) => person !== others[at])
}

/**
 * Whether an actor may be missing: "Where do you keep it", "where is it kept". Only if the same person is neither an owner nor an object.
 */
function isUnsaid(person: string, a: Facts, b: Facts): boolean {
  return GENERIC_PERSONS.has(person) && !a.persons().some((other) => other.startsWith(`${person}:`)) && isPassiveOf(b, a)
}

const GENERIC_PERSONS = new Set(['i', 'you', 'we', 'they', 'all', 'sie'])

/** Whether only `a` uses the passive. */
function isPassiveOf(a: Facts, b: Facts): boolean {
  return a.tenses().includes('passive 1') && !b.tenses().includes('passive 1')
}

/** Whether the tenses differ. If the actor is left out, the passive is only another phrasing. */
export function hasOtherTense(a: Facts, b: Facts): boolean {
  return isMissing(isSaidPassively(a, b) ? a.tenses().filter((tense) => tense !== 'passive 1') : a.tenses(), b.tenses())
}

export function isSaidPassively(a: Facts, b: Facts): boolean {
  const isUnsaidBy = (one: Facts, other: Facts): boolean =>
    (one.lower().startsWith('how to ') ||
      one.persons().some((person) => GENERIC_PERSONS.has(person) && !other.persons().includes(person))) &&
    isPassiveOf(other, one)
  return isUnsaidBy(a, b) || isUnsaidBy(b, a)
}
