/** Formats figures as text. */
import type { Figure, Findings, Histogram } from './figures.js'

/** By measure; each may stem from another machine. */
export type Results = Readonly<Record<string, Findings & { readonly machine: string }>>

const NAME_WIDTH = 66

/** `stored`: the figures to compare with. */
export function linesOf(name: string, findings: Findings, stored: Findings | undefined): string[] {
  return [
    `${name}:`,
    ...findings.figures.map((figure) => `  ${figure.name.padEnd(NAME_WIDTH)} ${told(figure)}${compared(figure, stored)}`),
    ...(findings.stretches === undefined ? [] : stretchLines(findings.stretches)),
    ...(findings.notes ?? []).map((note) => `  ${note}`)
  ]
}

function told({ median, low, high, unit, goal }: Figure): string {
  const spread = low === high ? '' : ` (${String(low)} to ${String(high)})`
  return `${String(median)} ${unit}${spread}${goal === undefined ? '' : `, ${goalOf(goal)}`}`
}

function goalOf(goal: NonNullable<Figure['goal']>): string {
  return 'atMost' in goal ? `to reach: at most ${String(goal.atMost)}` : `to reach: at least ${String(goal.atLeast)}`
}

function compared({ name, median }: Figure, stored: Findings | undefined): string {
  const before = stored?.figures.find((figure) => figure.name === name)
  return before === undefined ? '' : `; × ${(median / before.median).toFixed(2)} of ${String(before.median)}`
}

function stretchLines({ boundsMs, counts, p999Ms, longestMs }: Histogram): string[] {
  const buckets = counts.map((count, at) => `${at < boundsMs.length ? `≤ ${String(boundsMs[at])}` : 'more'}: ${String(count)}`)
  return [`  stretches of the loop in ms: ${buckets.join(', ')}`, `  p99.9 ${String(p999Ms)} ms, longest ${String(longestMs)} ms`]
}
