/**
 * Words without which a regular expression cannot match, read from its source. Most texts have few of the words of a long list of patterns,
 * so most patterns need not be tried.
 */

/** Words in lower case, of which a text must have at least one. */
export type Clause = readonly string[]

/** Part of a pattern. */
interface Atom {
  /** A literal character; empty for a group, and for anything else, which may match any text. */
  readonly character: string
  /** Branches of a group that consumes what it matches; null for anything else. */
  readonly branches: readonly Branch[] | null
  readonly isOptional: boolean
}

type Branch = readonly Atom[]

/** Whether a word may end at either side of a branch. */
interface Edges {
  readonly before: boolean
  readonly after: boolean
}

/** Characters of words, in either case; others end them. */
const WRITTEN = /[0-9a-z\u00df-\u00f6\u00f8-\u024f]/iu
const WORDS = /[0-9a-z\u00df-\u00f6\u00f8-\u024f]+/giu

/**
 * A group's opening, its end or the next branch, a class, an escape or `.`, or any other character. `^` and `$` end words as a comma does.
 */
const PART = /(\((?:\?(?:<?[=!]|:))?)|(\)|\|)|(\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\.|\.)|(.)/suy
const QUANTIFIER = /(?:[?*+]|\{[\d,]+\})\??/y

/**
 * Words that every match of `pattern` contains, as whole words: at least one of each clause. None if nothing is certain. The pattern has to
 * match from the start of a word to the end of one.
 */
export function neededWords(pattern: string): readonly Clause[] {
  return clausesOfAny(parse(pattern), { before: true, after: true })
}

/** Words of a text in lower case. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORDS))
}

/** Whether a text with these words has one of each clause. */
export function hasNeeded(words: ReadonlySet<string>, clauses: readonly Clause[]): boolean {
  return clauses.every((clause) => clause.some((word) => words.has(word)))
}

function parse(pattern: string): readonly Branch[] {
  let at = 0
  function matched(part: RegExp): RegExpExecArray | null {
    part.lastIndex = at
    const found = part.exec(pattern)
    at += found?.[0].length ?? 0
    return found
  }
  function branches(): Branch[] {
    const all: Atom[][] = [[]]
    for (let part = matched(PART); part !== null && part[0] !== ')'; part = matched(PART)) {
      const [, group, , wild, character = ''] = part
      if (part[0] === '|') {
        all.push([])
        continue
      }
      const inner = group === undefined ? null : branches()
      const quantifier = matched(QUANTIFIER)?.[0] ?? ''
      const isOptional = /^(?:[?*]|\{0)/.test(quantifier)
      const isCertain = wild === undefined && !/[+*{]/.test(quantifier)
      const isConsuming = group === '(' || group === '(?:'
      all.at(-1)?.push({ character: isCertain ? character : '', branches: isCertain && isConsuming ? inner : null, isOptional })
    }
    return all
  }
  return branches()
}

function clausesOfAny(branches: readonly Branch[], edges: Edges): readonly Clause[] {
  const [first = [], ...others] = branches.map((branch) => clausesOf(branch, edges))
  if (others.length === 0) return first
  const shortest = [first, ...others].map((clauses) => clauses.reduce<Clause>(shorter, []))
  return shortest.some((clause) => clause.length === 0) ? [] : [shortest.flat()]
}

function shorter(a: Clause, b: Clause): Clause {
  return a.length === 0 || b.length < a.length ? b : a
}

function clausesOf(branch: Branch, edges: Edges): readonly Clause[] {
  const clauses: Clause[] = []
  for (let at = 0; at < branch.length; at++) {
    const { branches, isOptional } = branch[at] as Atom
    if (branches !== null && !isOptional) {
      clauses.push(...clausesOfAny(branches, { before: endsBefore(branch, at - 1, edges), after: beginsAfter(branch, at + 1, edges) }))
    }
    const end = endOfWord(branch, at)
    if (end === at) continue
    const word = branch.slice(at, end).map(({ character }) => character.toLowerCase())
    if (endsBefore(branch, at - 1, edges) && beginsAfter(branch, end, edges)) clauses.push([word.join('')])
    at = end - 1
  }
  return clauses
}

function endOfWord(branch: Branch, from: number): number {
  let end = from
  for (let atom = branch[end]; atom !== undefined && !atom.isOptional && WRITTEN.test(atom.character); atom = branch[end]) end += 1
  return end
}

const endsBefore = (branch: Branch, at: number, { before }: Edges): boolean => isApart(branch, at, { step: -1, isEdgeApart: before })
const beginsAfter = (branch: Branch, at: number, { after }: Edges): boolean => isApart(branch, at, { step: 1, isEdgeApart: after })

/** Whether the character that is matched at `at`, or beyond it in the direction of `step`, is certainly none of a word. */
function isApart(branch: Branch, at: number, way: { readonly step: 1 | -1; readonly isEdgeApart: boolean }): boolean {
  const atom = branch[at]
  if (atom === undefined) return way.isEdgeApart
  const isRestApart = (): boolean => isApart(branch, at + way.step, way)
  if (atom.isOptional && !isRestApart()) return false
  if (atom.branches === null) return atom.character !== '' && !WRITTEN.test(atom.character)
  return atom.branches.every((inner) =>
    isApart(inner, way.step === 1 ? 0 : inner.length - 1, { step: way.step, isEdgeApart: isRestApart() })
  )
}
