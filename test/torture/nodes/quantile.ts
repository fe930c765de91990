/** The value below which `share` (0 to 1) of the values are; 0 for none. Takes the nearest that occurred, without a mean of two. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
