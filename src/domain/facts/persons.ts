/** Who does something and to whom it is done, where one text may leave it unsaid: "where do you keep it", "where is it kept". */
import { type Facts, isMissing } from './facts.js'

/**
 * Whether other persons are spoken of, in another order, or with something else done to them. Who does what the other says is done may go
 * unsaid.
 */
export function hasOtherPerson(a: Facts, b: Facts): boolean {
  const [own, others] = [a.persons(), b.persons()]
  if (own.some((person) => !others.includes(person) && !isUnsaid(person, a, b))) return true
  return own.length === others.length && own.some((person, at) => person !== others[at])
}

/** "Where do you keep it", "where is it kept": no matter who keeps it, unless it is theirs or done to them as well. */
function isUnsaid(person: string, a: Facts, b: Facts): boolean {
  return GENERIC_PERSONS.has(person) && !a.persons().some((other) => other.startsWith(`${person}:`)) && isPassiveOf(b, a)
}

const GENERIC_PERSONS = new Set(['i', 'you', 'we', 'they', 'all', 'sie'])

/** Whether one says as done what the other says that somebody does. */
function isPassiveOf(a: Facts, b: Facts): boolean {
  return a.tenses().includes('passive 1') && !b.tenses().includes('passive 1')
}

/** Who acts may be left unsaid: then the passive is only another way to say it. */
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
