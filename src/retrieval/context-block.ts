/** Fourth stage: builds the text given to a language model, within its budget. Interface, Context block. */
import type { Entity, MemoryEntry, UnderstandingPhase } from '../domain/session.js'
import { upTo } from '../domain/text/characters.js'
import type { ContextLine } from './context-lines.js'
import { excerpt, EXCERPT_READ_MAX, type ExcerptOptions } from './excerpt.js'

export interface ContextBlockInput {
  readonly phase: UnderstandingPhase
  readonly turn: number
  readonly totalMemories: number
  /** Best first. */
  readonly lines: readonly ContextLine[]
  /** Lines shown ahead of the others, whether or not the query is about them; best first. Default: none. */
  readonly pinned?: readonly ContextLine[]
  /** Entities that match the query, best first. */
  readonly entities: readonly Entity[]
  /** Upper bound on the tokens of the whole block, at least 0. */
  readonly budgetTokens: number
  readonly countTokens: (text: string) => number
  /** Content terms of the query: texts that do not fit are cut to sentences with these. Default: cut to the beginning. */
  readonly terms?: ReadonlySet<string>
}

interface ContextBlock {
  /** At most `budgetTokens` by `countTokens`, whatever the input. */
  readonly text: string
  /** Memories shown in the block. */
  readonly memories: readonly MemoryEntry[]
  readonly entities: readonly Entity[]
}

/** Share of the budget that entities may take if there are hits too: both are asked for, hits more often. */
const ENTITIES_SHARE = 0.4
/** Share of the lines' budget that pinned lines may take if there are hits too: pinned lines are not asked for. */
const PINNED_SHARE = 0.5
/** Share of the lines' budget for one of several lines, so that one long memory does not crowd out the others. */
const LINE_SHARE = 0.5
/**
 * Consecutive lines that may fail to fit before the block counts as full: each attempt costs token counts, and later lines are rarely
 * shorter.
 */
const MISSES_MAX = 3

/** A part of the block, with the memories or the entity that it shows. */
interface Piece {
  readonly text: string
  readonly memories: readonly MemoryEntry[]
  readonly entity: Entity | null
}

/**
 * Builds the block: a header line, the hits that fit, the entities that fit. Shows whole sentences and whole entities; a sentence is cut
 * only if otherwise nothing would be shown. Pieces are counted once each, and the whole at the end. If a tokenizer counts the whole higher
 * than the sum of its pieces, the last pieces are dropped.
 */
export function contextBlock(input: ContextBlockInput): ContextBlock {
  const first = `[Memory context | Phase: ${input.phase} | Turn ${String(input.turn)} | ${String(input.totalMemories)} memories]`
  let left = input.budgetTokens - input.countTokens(first)
  const { pinned = [] } = input
  const entities = chooseEntities(input, input.lines.length + pinned.length > 0 ? Math.floor(left * ENTITIES_SHARE) : left)
  left -= entities.tokens
  const lines = chooseAllLines(input, pinned, left)
  for (let shownLines = lines, shownEntities = entities.pieces; ;) {
    const text = assemble(first, shownLines, shownEntities)
    if (input.countTokens(text) <= input.budgetTokens) return blockOf(text, shownLines, shownEntities)
    if (shownEntities.length > 0) shownEntities = shownEntities.slice(0, -1)
    else if (shownLines.length > 0) shownLines = shownLines.slice(0, -1)
    else return blockOf(longestFitting(first, input.budgetTokens, input.countTokens), [], [])
  }
}

const HITS_TITLE = '\nRelevant context:'
const ENTITIES_TITLE = '\nVerbatim:'

function assemble(first: string, lines: readonly Piece[], entities: readonly Piece[]): string {
  const hits = lines.length === 0 ? '' : HITS_TITLE + lines.map((piece) => piece.text).join('')
  const verbatim = entities.length === 0 ? '' : ENTITIES_TITLE + entities.map((piece) => piece.text).join('')
  return first + hits + verbatim
}

function blockOf(text: string, lines: readonly Piece[], entities: readonly Piece[]): ContextBlock {
  return {
    text,
    memories: lines.flatMap((piece) => piece.memories),
    entities: entities.flatMap((piece) => (piece.entity === null ? [] : [piece.entity]))
  }
}

function chooseEntities(input: ContextBlockInput, budget: number): { pieces: Piece[]; tokens: number } {
  const pieces: Piece[] = []
  let tokens = input.entities.length === 0 ? 0 : input.countTokens(ENTITIES_TITLE)
  for (const entity of input.entities) {
    const text = `\n  ${entity.key} (${entity.kind}): ${entity.value}`
    const size = input.countTokens(text)
    if (tokens + size > budget) continue
    pieces.push({ text, memories: [], entity })
    tokens += size
  }
  return { pieces, tokens: pieces.length === 0 ? 0 : tokens }
}

interface ChosenLine {
  readonly line: ContextLine
  readonly prefix: string
  text: string
  /** The other half of the exchange is not shown yet. */
  isHalf: boolean
  /** The text was shortened, because it exceeds the share of one of several hits. */
  isCut: boolean
}

const NO_TERMS: ReadonlySet<string> = new Set()

/** UTF-16 units read for words of the query per block: some milliseconds. Texts beyond it are cut at the end. */
const READ_MAX = 32_768
/** UTF-16 units considered of such a text. */
const UNREAD_LOOKED_MAX = 4_096

/** Remainder of READ_MAX. */
interface Reading {
  left: number
}

/** Chooses the pinned lines, and hits in the remaining budget. */
function chooseAllLines(
  { lines, countTokens, terms = NO_TERMS }: ContextBlockInput,
  pinned: readonly ContextLine[],
  left: number
): Piece[] {
  if (lines.length + pinned.length === 0) return []
  const budget = left - countTokens(HITS_TITLE)
  const fit = { countTokens, terms, reading: { left: READ_MAX } }
  const first = chooseLines(pinned, { budget: lines.length > 0 ? Math.floor(budget * PINNED_SHARE) : budget, number: 1, ...fit })
  const taken = first.reduce((sum, { text }) => sum + countTokens(text), 0)
  return [...first, ...chooseLines(lines, { budget: budget - taken, number: first.length + 1, ...fit })]
}

interface Choosing extends Omit<Fit, 'most'> {
  readonly budget: number
  /** Number shown on the first line. */
  readonly number: number
}

/** Chooses lines best first, uncut where possible. Other halves of exchanges that were not hits come last, if room is left. */
function chooseLines(lines: readonly ContextLine[], { budget, number, ...fit }: Choosing): Piece[] {
  const { countTokens } = fit
  const chosen = new Map<ContextLine, ChosenLine>()
  let left = lines.length === 0 ? 0 : budget
  const share = lines.length === 1 ? left : Math.floor(left * LINE_SHARE)
  let misses = 0
  function add(line: ContextLine): void {
    const prefix = prefixOf(chosen.size + number, line)
    const whole = prefix + oneLine(foundText(line))
    const size = countTokens(whole)
    // A line that would fit into an empty block is skipped rather than cut: a shorter one may follow.
    const text =
      size <= Math.min(left, share)
        ? whole
        : size <= share
          ? null
          : fitSentences(prefix, foundText(line), { ...fit, most: Math.min(left, share) })
    misses = text === null ? misses + 1 : 0
    if (text === null) return
    // Stryker disable next-line ConditionalExpression,LogicalOperator: what was cut leaves no room for another half, and some have none
    chosen.set(line, { line, prefix, text, isHalf: text === whole && line.question !== null, isCut: text !== whole })
    left -= countTokens(text)
  }
  function complete(one: ChosenLine): void {
    const size = countTokens(one.text)
    const text = withOtherHalf(one, { ...fit, most: Math.min(share, size + left) })
    if (text === null) return
    one.text = text
    one.isHalf = false
    left -= countTokens(text) - size
  }
  function extend(one: ChosenLine): void {
    const size = countTokens(one.text)
    const whole = one.prefix + oneLine(foundText(one.line))
    const isWhole = countTokens(whole) <= size + left
    // Past READ_MAX its beginning would replace the sentences already chosen.
    if (!isWhole && fit.reading.left <= 0) return
    const text = isWhole ? whole : fitSentences(one.prefix, foundText(one.line), { ...fit, most: size + left })
    if (text === null) return
    one.text = text
    left -= countTokens(text) - size
  }
  for (const { line, isOther } of inOrder(lines)) {
    if (left < 1 || misses === MISSES_MAX) break
    const known = chosen.get(line)
    if (!isOther) add(line)
    else if (known?.isHalf === true) complete(known)
  }
  for (const one of chosen.values()) if (one.isHalf && left >= 1) complete(one)
  for (const one of chosen.values()) if (one.isCut && left >= 1) extend(one)
  if (chosen.size > 0 || left < 1) return [...chosen.values()].map(({ text, line }) => ({ text, memories: line.memories, entity: null }))
  return lines.slice(0, 1).flatMap((best) => {
    const prefix = prefixOf(number, best)
    const cut = longestFitting(oneLine(foundText(best)), left - countTokens(prefix), countTokens)
    return cut === '' ? [] : [{ text: prefix + cut, memories: best.memories, entity: null }]
  })
}

/** All halves that are hits, by relevance. */
function inOrder(lines: readonly ContextLine[]): { readonly line: ContextLine; readonly isOther: boolean }[] {
  return lines
    .flatMap((line) => [
      { line, isOther: false, score: line.score },
      ...(line.otherScore === undefined ? [] : [{ line, isOther: true, score: line.otherScore }])
    ])
    .sort((a, b) => b.score - a.score)
}

function foundText({ question, text, found }: ContextLine): string {
  return found === 'question' && question !== null ? question : text
}

/** The half that is a hit, whole, with the sentences of the other half that fit; null when none fits. */
function withOtherHalf({ prefix, line: { question, text, found } }: ChosenLine, { most, ...fit }: Fit): string | null {
  if (question === null) return null
  if (found === 'question') return fitSentences(`${prefix}Q: ${oneLine(question)} A: `, text, { most, ...fit })
  const answer = ` A: ${oneLine(text)}`
  const asked = fitSentences(`${prefix}Q: `, question, { most: most - fit.countTokens(answer), ...fit })
  return asked === null ? null : asked + answer
}

function prefixOf(number: number, line: ContextLine): string {
  return `\n  ${String(number)}. [${line.score.toFixed(2)}] `
}

interface Fit extends Pick<ExcerptOptions, 'most' | 'countTokens' | 'terms'> {
  readonly reading: Reading
}

function fitSentences(prefix: string, text: string, { reading, ...fit }: Fit): string | null {
  if (reading.left <= 0) return excerpt(prefix, upTo(text, UNREAD_LOOKED_MAX), { ...fit, terms: NO_TERMS, shown: oneLine })
  reading.left -= Math.min(text.length, EXCERPT_READ_MAX)
  return excerpt(prefix, text, { ...fit, shown: oneLine })
}

/** White space or control characters to replace by one space. A single plain space does not match, so most texts need no change. */
const GAP = /[\s\p{Cc}]{2,}|(?! )[\s\p{Cc}]/gu

/** Removes line breaks and control characters, so that no memory can look like a line of the block. */
function oneLine(text: string): string {
  return text.replace(GAP, ' ').trim()
}

/** Longest prefix that fits, ending between words if possible, and never within a letter with its marks. */
function longestFitting(text: string, budget: number, countTokens: (text: string) => number): string {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (countTokens(text.slice(0, middle)) <= budget) low = middle
    else high = middle - 1
  }
  const cut = upTo(text, low)
  const space = low < text.length ? cut.lastIndexOf(' ') : -1
  return space > 0 && countTokens(cut.slice(0, space)) <= budget ? cut.slice(0, space) : cut
}
