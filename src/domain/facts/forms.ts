/** Whether two words are forms of one word. */
import type { Word } from './reading.js'

/**
 * Endings that change a word's form and not its meaning: plural, person, infinitive, participle of the present, case.
 * Past tense, comparison and derivation are left out: "moved" is not "move", "billiger" not "billig", "important" not "import".
 */
const ENDINGS = new Set(['', 's', 'es', 'e', 'y', 'ies', 'ing', 'n', 'en', 'em', 'ion', 'ation'])
/** "running" of "run". */
const DOUBLED = /^([bdfglmnprt])ing$/

/** Same word, or same stem with endings that only inflect. Numbers and identifiers only when equal. */
export function isSameWord(a: Word, b: Word): boolean {
  if (a.text === b.text) return true
  if (a.isExact || b.isExact || a.stem !== b.stem) return false
  let shared = 0
  while (shared < a.text.length && a.text[shared] === b.text[shared]) shared++
  return isEnding(a.text, shared) && isEnding(b.text, shared)
}

/** Content words of `from` without a counterpart in `among`, counting "log in" as "login" and the other way round. */
export function unmatched(from: readonly Word[], among: readonly Word[]): Word[] {
  const joints = new Set<string>()
  among.forEach((word, i) => joints.add(word.text + (among[i + 1]?.text ?? '')))
  return from.filter((word, i) => {
    if (word.isStop || among.some((other) => isSameWord(word, other)) || joints.has(word.text)) return false
    const before = from[i - 1]
    const after = from[i + 1]
    const pairs = [before && before.text + word.text, after && word.text + after.text]
    return !among.some((other) => pairs.includes(other.text))
  })
}

function isEnding(word: string, from: number): boolean {
  const rest = word.slice(from)
  const doubled = DOUBLED.exec(rest)
  return ENDINGS.has(rest) || (doubled !== null && word[from - 1] === doubled[1])
}
