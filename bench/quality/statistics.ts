/** Statistics for reports on quality, and their confidence. */

/** Seeded random numbers in [0, 1) (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The score of one item, and its truth. */
export interface Judged {
  readonly isTrue: boolean
  readonly score: number
}

/** Probability that a true item scores above a false one, with ties counted half; 0.5 if either kind is missing. */
export function auroc(items: readonly Judged[]): number {
  const sorted = items.toSorted((a, b) => a.score - b.score)
  let trueItems = 0
  let ranks = 0
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to++
    const ties = sorted.slice(from, to).filter(({ isTrue }) => isTrue).length
    trueItems += ties
    ranks += (ties * (from + 1 + to)) / 2
    from = to
  }
  const pairs = trueItems * (items.length - trueItems)
  return pairs === 0 ? 0.5 : (ranks - (trueItems * (trueItems + 1)) / 2) / pairs
}

export interface Decided {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

/** Evaluates the decision for items that score at least `threshold`. */
export function decided(items: readonly Judged[], threshold: number): Decided {
  const called = items.filter(({ score }) => score >= threshold)
  const hits = called.filter(({ isTrue }) => isTrue).length
  const all = items.filter(({ isTrue }) => isTrue).length
  return {
    precision: hits / Math.max(1, called.length),
    recall: hits / Math.max(1, all),
    f1: (2 * hits) / Math.max(1, called.length + all)
  }
}

/** The threshold with the best F1. */
export function bestThreshold(items: readonly Judged[]): number {
  let best = { f1: -1, threshold: 0 }
  for (const threshold of new Set(items.map(({ score }) => score))) {
    const { f1 } = decided(items, threshold)
    if (f1 > best.f1) best = { f1, threshold }
  }
  return best.threshold
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

export const SEED = 20_251
const RESAMPLES = 400

/** A figure with its 95 % bootstrap interval over resampled conversations: `0.812 [0.780, 0.843]`. */
export function withInterval<Item>(conversations: readonly (readonly Item[])[], figure: (items: readonly Item[]) => number): string {
  const random = createRandom(SEED)
  const figures = Array.from({ length: RESAMPLES }, () =>
    figure(conversations.flatMap(() => conversations[Math.floor(random() * conversations.length)] ?? []))
  ).sort((a, b) => a - b)
  const at = (share: number): string => (figures[Math.floor(share * (RESAMPLES - 1))] ?? 0).toFixed(3)
  return `${figure(conversations.flat()).toFixed(3)} [${at(0.025)}, ${at(0.975)}]`
}

/** Formats rows below a head as a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
