/** Grammatical number of English nouns that have one form for singular and plural, from the finite verb and from determiners. */
import type { GrammaticalNumber } from './german-number.js'
import type { Reading } from './words.js'

const ONE_FORM =
  /^(?:sheep|fish|deer|moose|bison|salmon|trout|cod|tuna|squid|shrimp|swine|series|species|means|\p{L}*craft|offspring|headquarters|crossroads|barracks|gallows|works|dice|\p{L}{2,}ese|swiss)$/u
/** Finite verbs by their number. */
const NUMBERS = new Map<string, GrammaticalNumber>(
  (
    [
      ['one', 'is was has does'],
      ['several', 'are were have do']
    ] as const
  ).flatMap(([number, words]) => words.split(' ').map((word) => [word, number] as const))
)
const ONE = /^(?:an?|this|that|each|every|one|another)$/
const SEVERAL = /^(?:these|those|many|several|few|all|both)$/
/** Subjects that tell who, but not how many. */
const SUBJECT = /^(?:i|you|we|they|he|she|it)$/

/** Grammatical number of each such noun, where the text reveals it. */
export function englishNumbersOf({ words }: Reading): ReadonlyMap<string, GrammaticalNumber> {
  const found = new Map<string, GrammaticalNumber>()
  const nouns = words.filter(({ text }) => ONE_FORM.test(text))
  if (nouns.length === 0) return found
  const told = words.flatMap(({ text }, at) => {
    const isAsked = [words[at - 1], words[at + 1]].some((beside) => SUBJECT.test(beside?.text ?? ''))
    return isAsked ? [] : (NUMBERS.get(text) ?? [])
  })
  const [verb] = told
  for (const { text, before } of nouns) {
    const number = ONE.test(before) ? 'one' : SEVERAL.test(before) ? 'several' : told.length === 1 ? verb : undefined
    if (number !== undefined) found.set(text, (found.get(text) ?? number) === number ? number : 'both')
  }
  return found
}
