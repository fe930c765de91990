/** What is shown of a text that does not fit: the sentences, lines, rows or items that hold most of what was asked, and what is beside them. */
import { sentenceEnds } from '../domain/text/sentences.js'
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
  const { order, isFound } = inOrder(pieces, options.terms)
  const chosen = new Set<number>()
  let tokens = options.countTokens(prefix)
  let misses = 0
  for (const [rank, at] of order.entries()) {
    const size = options.countTokens(` ${pieces[at] as string}`) + (isFound ? gapTokens(at, chosen, options) : 0)
    const isBeginning = isFound && rank === 1 && at === 0 && chosen.size > 0
    const isTooMuch = isBeginning && size > BEGINNING_SHARE * options.most
    if (tokens + size > options.most || isTooMuch) {
      if (!isFound || ++misses === MISSES_MAX) break
      continue
    }
    misses = 0
    tokens += size
    chosen.add(at)
  }
  return chosen.size === 0 ? null : prefix + joined(pieces, chosen)
}

/** Beside one that is shown no more is left out than before; between two of them it is less, which is not counted. */
function gapTokens(at: number, chosen: ReadonlySet<number>, { countTokens }: ExcerptOptions): number {
  return at === 0 || chosen.has(at - 1) || chosen.has(at + 1) ? 0 : countTokens(` ${GAP}`)
}

function piecesOf(text: string, shown: ExcerptOptions['shown']): string[] {
  const read = text.slice(0, EXCERPT_READ_MAX)
  const pieces: string[] = []
  let start = 0
  for (const end of sentenceEnds(read)) {
    const piece = shown(read.slice(start, end))
    start = end
    if (piece !== '') pieces.push(piece)
  }
  return pieces
}

/** The best piece, the beginning, the others that hold words of the query, and the rest by how near it is to the best. */
function inOrder(pieces: readonly string[], terms: ReadonlySet<string>): { readonly order: readonly number[]; readonly isFound: boolean } {
  const all = pieces.map((_, at) => at)
  const scores = scoresOf(pieces, terms)
  let best = 0
  for (const at of all) if ((scores[at] as number) > (scores[best] as number)) best = at
  if (!((scores[best] ?? 0) > 0)) return { order: all, isFound: false }
  const found = all.filter((at) => (scores[at] as number) > 0).sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
  const rest = all.filter((at) => scores[at] === 0).sort((a, b) => distance(a, best) - distance(b, best))
  return { order: [...new Set([best, 0, ...found, ...rest])], isFound: true }
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
