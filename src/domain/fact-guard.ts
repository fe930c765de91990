/** Tells texts apart that a cosine cannot: "enable 2FA" and "disable 2FA" lie close in every embedding. */
import { isNegation } from './text/stop-words.js'
import { termsOf, type Term } from './text/terms.js'

export type FactKind = 'negation' | 'number' | 'content'

export interface FactDifference {
  readonly kind: FactKind
}

/** Share of the content terms of both texts that may have no counterpart. */
const UNMATCHED_SHARE_MAX = 0.34

/** What keeps two texts from meaning the same; null where nothing was found. Symmetric. */
export function factsDiffer(a: string, b: string): FactDifference | null {
  if (a === b) return null
  const left = termsOf(a)
  const right = termsOf(b)
  if (countNegations(left) % 2 !== countNegations(right) % 2) return { kind: 'negation' }
  if (keyOf(left, isNumber) !== keyOf(right, isNumber)) return { kind: 'number' }
  return unmatchedShare(left, right) > UNMATCHED_SHARE_MAX ? { kind: 'content' } : null
}

function countNegations(terms: readonly Term[]): number {
  return terms.filter((term) => isNegation(term.token.text)).length
}

function isNumber(term: Term): boolean {
  return term.token.kind === 'number' || /\d/.test(term.term)
}

function keyOf(terms: readonly Term[], isKept: (term: Term) => boolean): string {
  return [...new Set(terms.filter(isKept).map((term) => term.term))].sort().join(' ')
}

function unmatchedShare(left: readonly Term[], right: readonly Term[]): number {
  const a = new Set(left.filter((term) => !term.isStop).map((term) => term.term))
  const b = new Set(right.filter((term) => !term.isStop).map((term) => term.term))
  const unmatched = [...a].filter((term) => !b.has(term)).length + [...b].filter((term) => !a.has(term)).length
  return a.size + b.size === 0 ? 0 : unmatched / (a.size + b.size)
}
