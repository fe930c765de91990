/** Mean and population variance; zeros for an empty list. */
export function spreadOf(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  if (values.length === 0) return { mean: 0, variance: 0 }
  let sum = 0
  for (const value of values) sum += value
  const mean = sum / values.length
  let squares = 0
  for (const value of values) squares += (value - mean) ** 2
  return { mean, variance: squares / values.length }
}
