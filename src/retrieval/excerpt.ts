/** Excerpts of texts that do not fit: the sentences, lines, rows or items with the most query words, and those beside them. */
import { upTo } from '../domain/text/characters.js'
import { sentencesOf } from '../domain/text/sentences.js'
import { contentTerms } from '../domain/text/terms.js'

export interface ExcerptOptions {
  /** Content terms of the query. */
  readonly terms: ReadonlySet<string>
  /** Upper bound on tokens, including those of the prefix. */
  readonly most: number
  readonly countTokens: (text: string) => number
  /** Formats a piece; returns an empty string to leave it out. */
  readonly shown: (piece: string) => string
}

/** UTF-16 units read of a text: several times what a block of usual size holds. */
export const EXCERPT_READ_MAX = 16_384
/** Consecutive pieces that may fail to fit before the room counts as full. */
const MISSES_MAX = 3
/** Share of the room for a text's beginning, which names the speaker or a table's columns. */
const BEGINNING_SHARE = 0.25
/** Marks text left out between two pieces. */
const GAP = '…'

/**
 * Excerpt of as many pieces as fit, in the order of the text; null when no whole piece fits. Without any query word in the text, its
 * beginning. However long the text, it takes no more token counts than pieces fit.
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

/** Number of pieces that fit, counted from the first. */
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

/** Indexes of the pieces to show. */
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

/**
 * Tokens of the mark for omitted text. A piece beside a shown one needs no further mark; between two shown ones it even saves one, which is
 * ignored.
 */
function gapTokens(at: number, chosen: ReadonlySet<number>, { countTokens }: ExcerptOptions): number {
  return at === 0 || chosen.has(at - 1) || chosen.has(at + 1) ? 0 : countTokens(` ${GAP}`)
}

function piecesOf(text: string, shown: ExcerptOptions['shown']): string[] {
  return sentencesOf(upTo(text, EXCERPT_READ_MAX))
    .map(shown)
    .filter((piece) => piece !== '')
}

/** Higher-scored pieces considered when others are ordered by nearness, the best ones. */
const BETTER_MAX = 8

/**
 * Order in which pieces are tried: the best piece, the beginning if it is short, the other pieces with query words, then the rest by
 * nearness to the best. Among pieces with the same words (`"port": 8065` of one entry of many), those near a better piece come first.
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

/** Distance in pieces; what follows is nearer than what precedes. */
function distance(at: number, best: number): number {
  return at > best ? at - best : best - at + 0.5
}

/** Score of each piece: the sum over its query words, each weighing more the fewer pieces hold it. */
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
