/** As in `1 day`, `2,000 sessions`. A word that ends in y after a vowel takes an s. */
export function counted(count: number, name: string): string {
  if (count === 1) return `1 ${name}`
  return `${count.toLocaleString('en')} ${name.replace(/([^aeiou])y$/, '$1ie')}s`
}
