/** Quantile of the values at `share` (0..1): the nearest value that occurred, without interpolation. 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
