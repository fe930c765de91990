/** What is shown of a text that does not fit: the sentences, lines, rows or items that hold most of what was asked, and those beside. */
import { sentencesOf } from '../domain/text/sentences.js'
import { contentTerms } from '../domain/text/terms.js'

export interface ExcerptOptions {
  /** Content terms of the query. */
  readonly terms: ReadonlySet<string>
  /** Most tokens, those of what stands before included. */
  readonly most: number
  readonly countTokens: (text: string) => number
  /** How a piece is shown; empty for none of it. */
  readonly shown: (piece: string) => string
}

/** UTF-16 units of a text that are read: several times what a block of common size holds. */
export const EXCERPT_READ_MAX = 16_384
/** Pieces in a row that may fail to fit before the room is taken as full. */
const MISSES_MAX = 3
/** Share of the room for a text's beginning, which says who speaks and what a table's columns are. */
const BEGINNING_SHARE = 0.25
/** Stands for what is left out between two pieces. */
const GAP = '…'

/**
 * As much as fits, in the order of the text; null when no whole piece does. Without a word of the query in it, its beginning. A long text
 * costs no more counts than pieces fit.
 */
export function excerpt(prefix: string, text: string, options: ExcerptOptions): string | null {
  const pieces = piecesOf(text, options.shown)
  const beginning = fromStart(prefix, pieces, options)
  const scores = scoresOf(pieces, beginning === pieces.length ? NO_TERMS : options.terms)
  const isFound = scores.some((score) => score > 0)
  const chosen = isFound ? aroundFound(prefix, pieces, { ...options, scores }) : new Set(pieces.slice(0, beginning).keys())
  return chosen.size === 0 ? null : prefix + joined(pieces, chosen)
}

const NO_TERMS: ReadonlySet<string> = new Set()

/** How many pieces fit from the first one on. */
function fromStart(prefix: string, pieces: readonly string[], { most, countTokens }: ExcerptOptions): number {
  let tokens = countTokens(prefix)
  let fitted = 0
  for (const piece of pieces) {
    tokens += countTokens(` ${piece}`)
    if (tokens > most) break
    fitted++
  }
  return fitted
}

/** Numbers of the pieces that are shown. */
function aroundFound(prefix: string, pieces: readonly string[], options: ExcerptOptions & { readonly scores: readonly number[] }) {
  const { most, countTokens, scores } = options
  const isShort = countTokens(` ${pieces[0] as string}`) <= BEGINNING_SHARE * most
  const chosen = new Set<number>()
  let tokens = countTokens(prefix)
  let misses = 0
  for (const at of inOrder(scores, isShort)) {
    const size = countTokens(` ${pieces[at] as string}`) + gapTokens(at, chosen, options)
    if (tokens + size > most) {
      if (++misses === MISSES_MAX) break
      continue
    }
    misses = 0
    tokens += size
    chosen.add(at)
  }
  return chosen
}

/** Beside one that is shown no more is left out than before; between two of them it is less, which is not counted. */
function gapTokens(at: number, chosen: ReadonlySet<number>, { countTokens }: ExcerptOptions): number {
  return at === 0 || chosen.has(at - 1) || chosen.has(at + 1) ? 0 : countTokens(` ${GAP}`)
}

function piecesOf(text: string, shown: ExcerptOptions['shown']): string[] {
  return sentencesOf(text.slice(0, EXCERPT_READ_MAX))
    .map(shown)
    .filter((piece) => piece !== '')
}

/** Pieces of a better score that others are near to, the best ones. */
const BETTER_MAX = 8

/**
 * The best piece, the beginning where it is short, the others that hold words of the query, and the rest by how near it is to the best. Of
 * pieces that hold the same words (`"port": 8065` of one entry of many) those come first that are near a better one.
 */
function inOrder(scores: readonly number[], isBeginningShort: boolean): Iterable<number> {
  const all = [...scores.keys()]
  const scoreAt = (at: number): number => scores[at] as number
  const byScore = all.filter((at) => scoreAt(at) > 0).sort((a, b) => scoreAt(b) - scoreAt(a) || a - b)
  const better = byScore.slice(0, BETTER_MAX)
  const nearness = (at: number): number =>
    Math.min(...better.map((one) => (scoreAt(one) > scoreAt(at) ? distance(at, one) : scores.length)))
  const nearnesses = new Map(byScore.map((at) => [at, nearness(at)]))
  const nearestFirst = (a: number, b: number): number => (nearnesses.get(a) as number) - (nearnesses.get(b) as number)
  const found = byScore.toSorted((a, b) => scoreAt(b) - scoreAt(a) || nearestFirst(a, b) || a - b)
  const best = found[0] as number
  const byNearness = all.sort((a, b) => distance(a, best) - distance(b, best))
  return new Set([best, ...(isBeginningShort ? [0] : []), ...found, ...byNearness])
}

/** What follows is nearer than what went before. */
function distance(at: number, best: number): number {
  return at > best ? at - best : best - at + 0.5
}

/** Of each piece the words of the query that it holds, those the more that few pieces hold. */
function scoresOf(pieces: readonly string[], terms: ReadonlySet<string>): number[] {
  if (terms.size === 0) return pieces.map(() => 0)
  const held = pieces.map((piece) => [...new Set(contentTerms(piece))].filter((term) => terms.has(term)))
  const counts = new Map<string, number>()
  for (const term of held.flat()) counts.set(term, (counts.get(term) ?? 0) + 1)
  return held.map((own) => own.reduce((sum, term) => sum + Math.log(1 + pieces.length / (counts.get(term) as number)), 0))
}

function joined(pieces: readonly string[], chosen: ReadonlySet<number>): string {
  let text = ''
  let last = -1
  for (const at of [...chosen].sort((a, b) => a - b)) {
    text += `${text === '' ? '' : ' '}${at === last + 1 ? '' : `${GAP} `}${pieces[at] as string}`
    last = at
  }
  return text
}
