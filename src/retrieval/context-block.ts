/** Fourth stage: what a language model is given to read, within its budget. Interface, Context block. */
import type { Entity, MemoryEntry, UnderstandingPhase } from '../domain/session.js'
import type { ContextLine } from './context-lines.js'
import { excerpt, EXCERPT_READ_MAX, type ExcerptOptions } from './excerpt.js'

export interface ContextBlockInput {
  readonly phase: UnderstandingPhase
  readonly turn: number
  readonly totalMemories: number
  /** Best first. */
  readonly lines: readonly ContextLine[]
  /** What is shown before the others, whether the query is about it or not; best first. Default: nothing. */
  readonly pinned?: readonly ContextLine[]
  /** Those that match the query, best first. */
  readonly entities: readonly Entity[]
  /** Most tokens of the whole block, at least 0. */
  readonly budgetTokens: number
  readonly countTokens: (text: string) => number
  /** Content terms of the query: what does not fit is cut to what holds them. Default: to its beginning. */
  readonly terms?: ReadonlySet<string>
}

export interface ContextBlock {
  /** At most `budgetTokens` by `countTokens`, whatever the input. */
  readonly text: string
  /** Memories that the block shows. */
  readonly memories: readonly MemoryEntry[]
  readonly entities: readonly Entity[]
}

/** Share of the budget that entities may take where there are hits as well: both are asked for, hits more often. */
const ENTITIES_SHARE = 0.4
/** Share of what lines have that pinned ones may take where there are hits as well: they are not asked for. */
const PINNED_SHARE = 0.5
/** Share of the budget for one of several lines, so that one long memory does not silence the others. */
const LINE_SHARE = 0.5
/** Lines in a row that may fail to fit before the block is taken as full: each costs counts, and a later one rarely is shorter. */
const MISSES_MAX = 3

/** A piece of the block with what it shows. */
interface Piece {
  readonly text: string
  readonly memories: readonly MemoryEntry[]
  readonly entity: Entity | null
}

/**
 * The block: a first line, the hits that fit, the entities that fit. Whole sentences, whole entities; a sentence is cut
 * only when nothing else would be shown at all. Pieces are counted once each, and the whole at the end: should a
 * tokenizer count the whole higher than its pieces, the last ones are dropped.
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
  /** Of its exchange the other half is still to come. */
  isHalf: boolean
  /** It is more than may be shown of one of several hits. */
  isCut: boolean
}

const NO_TERMS: ReadonlySet<string> = new Set()

/** UTF-16 units that are read for words of the query for one block: some milliseconds. A text behind them is cut at its end. */
const READ_MAX = 32_768
/** Units of such a text that are looked at. */
const UNREAD_LOOKED_MAX = 4_096

/** What is left of READ_MAX. */
interface Reading {
  left: number
}

/** Those that are pinned, and the hits in what they leave. */
function chooseAllLines(
  { lines, countTokens, terms = NO_TERMS }: ContextBlockInput,
  pinned: readonly ContextLine[],
  left: number
): Piece[] {
  if (lines.length + pinned.length === 0) return []
  const budget = left - countTokens(HITS_TITLE)
  const fit = { countTokens, terms, reading: { left: READ_MAX } }
  const first = chooseLines(pinned, { ...fit, budget: lines.length > 0 ? Math.floor(budget * PINNED_SHARE) : budget, number: 1 })
  const taken = first.reduce((sum, { text }) => sum + countTokens(text), 0)
  return [...first, ...chooseLines(lines, { ...fit, budget: budget - taken, number: first.length + 1 })]
}

interface Choosing extends Omit<Fit, 'most'> {
  readonly budget: number
  /** Of the first line. */
  readonly number: number
}

/** Best first, whole ones; halves of exchanges that were not found, where room is left behind all that were. */
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
    // One that would fit into an empty block is not cut for want of room: a shorter one may come.
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
    // Unread, its beginning would take the place of the sentences that were chosen.
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

/** Every half that was found, by its relevance. */
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

/** The half that was found, whole, and of the other the sentences that fit; null when none does. */
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
  if (reading.left <= 0) return excerpt(prefix, text.slice(0, UNREAD_LOOKED_MAX), { ...fit, terms: NO_TERMS, shown: oneLine })
  reading.left -= Math.min(text.length, EXCERPT_READ_MAX)
  return excerpt(prefix, text, { ...fit, shown: oneLine })
}

/** What is to be one space, where it is anything else: in most texts nothing. */
const GAP = /[\s\p{Cc}]{2,}|(?! )[\s\p{Cc}]/gu

/** Without line breaks or control characters, so that no memory can look like a line of the block. */
function oneLine(text: string): string {
  return text.replace(GAP, ' ').trim()
}

/** The longest beginning that fits, between words where one fits, whole code points always. */
function longestFitting(text: string, budget: number, countTokens: (text: string) => number): string {
  const characters = [...text]
  let low = 0
  let high = characters.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (countTokens(characters.slice(0, middle).join('')) <= budget) low = middle
    else high = middle - 1
  }
  const cut = characters.slice(0, low).join('')
  const space = low < characters.length ? cut.lastIndexOf(' ') : -1
  return space > 0 && countTokens(cut.slice(0, space)) <= budget ? cut.slice(0, space) : cut
}
