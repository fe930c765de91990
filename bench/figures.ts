/** Results of a measure: figures with their spread and their goals. */

export interface Figure {
  readonly name: string
  readonly unit: 'ms' | 's' | 'µs' | '×' | '/s' | 'KiB' | 'B'
  readonly median: number
  /** Minimum and maximum of the samples. */
  readonly low: number
  readonly high: number
  /** The value that the service has to reach. */
  readonly goal?: { readonly atMost: number } | { readonly atLeast: number }
}

/** Distribution of stretches of the event loop. */
export interface Histogram {
  /** Upper bounds in milliseconds, ascending; the last bucket is unbounded. */
  readonly boundsMs: readonly number[]
  readonly counts: readonly number[]
  readonly p999Ms: number
  readonly longestMs: number
}

export interface Findings {
  readonly figures: readonly Figure[]
  /** Stretches of the measured process's event loop. */
  readonly stretches?: Histogram
  /** What was left out, and why. */
  readonly notes?: readonly string[]
}

export interface MeasureOptions {
  /** Minimal run that only shows that the measure works; its figures are meaningless. */
  readonly isShort: boolean
}

export type Measure = (options: MeasureOptions) => Promise<Findings>

export function figureOf(name: string, unit: Figure['unit'], samples: readonly number[], goal?: Figure['goal']): Figure {
  const ascending = samples.toSorted((a, b) => a - b)
  return {
    name,
    unit,
    median: rounded(percentile(ascending, 0.5)),
    low: rounded(ascending[0] ?? NaN),
    high: rounded(ascending.at(-1) ?? NaN),
    ...(goal !== undefined && { goal })
  }
}

/** The least of the ascending numbers that at least this share of them does not exceed; NaN for none. */
export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? NaN
}

export function medianOf(samples: readonly number[]): number {
  return percentile(
    samples.toSorted((a, b) => a - b),
    0.5
  )
}

const BOUNDS_MS = [1, 2, 4, 8, 16, 32, 64, 128]

export function histogramOf(stretchesMs: readonly number[]): Histogram {
  const counts = new Array<number>(BOUNDS_MS.length + 1).fill(0)
  for (const stretchMs of stretchesMs) {
    const bucket = BOUNDS_MS.findIndex((boundMs) => stretchMs <= boundMs)
    const place = bucket === -1 ? BOUNDS_MS.length : bucket
    counts[place] = (counts[place] ?? 0) + 1
  }
  const ascending = stretchesMs.toSorted((a, b) => a - b)
  return { boundsMs: BOUNDS_MS, counts, p999Ms: rounded(percentile(ascending, 0.999)), longestMs: rounded(ascending.at(-1) ?? NaN) }
}

/** Rounds to three significant digits. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(3)) : value
}
