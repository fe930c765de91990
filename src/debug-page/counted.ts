/** Formats a count with its noun, as in `1 day`, `2,000 sessions`. A final y after a consonant becomes `ies`. */
export function counted(count: number, name: string): string {
  if (count === 1) return `1 ${name}`
  return `${count.toLocaleString('en')} ${name.replace(/([^aeiou])y$/, '$1ie')}s`
}
