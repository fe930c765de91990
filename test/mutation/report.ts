/** The lines that a mutation run prints. */
import { mutate, type Mutant } from './mutants.js'
import { wilson } from './sample.js'
import type { Outcome } from './trials.js'

export interface Score {
  readonly name: string
  /** Number of all changes, tried or not. */
  readonly all: number
  readonly ignored: number
  readonly outcomes: readonly Outcome[]
}

/** A change that no test noticed: its place, and the affected lines before and after. */
export function survivorLines(mutant: Mutant, text: string, outcome: Outcome): string[] {
  const changed = mutate(text, mutant)
  const [before, after] = [
    linesAt(text, mutant.start, mutant.end),
    linesAt(changed, mutant.start, mutant.start + mutant.replacement.length)
  ]
  return [`${outcome} ${mutant.file}:${mutant.line}:${mutant.column} ${mutant.mutator}`, ...shown(before, '-'), ...shown(after, '+')]
}

/** Share of tried changes that a test or the compiler refused. Changes that no test reaches count as not refused. */
export function scoreLine({ name, all, ignored, outcomes }: Score): string {
  const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length
  const [killed, tried] = [count('killed') + count('refused'), outcomes.length - count('same')]
  const each = (['killed', 'refused', 'survived', 'unreached'] as const).map((outcome) => `${count(outcome)} ${outcome}`).join(', ')
  const counts = `${all} changes, ${ignored} ignored; tried ${tried}: ${each}`
  if (tried === 0) return `# ${name}: ${counts}`
  const { low, high } = wilson(killed, tried)
  const interval = tried < all ? ` (95 %: ${percent(low)} to ${percent(high)})` : ''
  return `# ${name}: ${percent(killed / tried)} %${interval}; ${counts}`
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

/** Most lines shown of each side. */
const LINES_MAX = 6

function shown(lines: readonly string[], sign: string): string[] {
  const rest = lines.length > LINES_MAX ? [`  ${sign} …`] : []
  return [...lines.slice(0, LINES_MAX).map((line) => `  ${sign} ${line}`), ...rest]
}

function linesAt(text: string, start: number, end: number): string[] {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', end)
  return text.slice(from, to === -1 ? text.length : to).split('\n')
}
