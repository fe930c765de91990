/** Texts of invented words with a natural frequency distribution. Deterministic by number. */
import { createChance } from './costly-texts.js'

const SYLLABLES = ['ka', 'lo', 'mi', 'ter', 'su', 'ran', 'vel', 'o', 'den', 'pri', 'gas', 'hu', 'nem', 'tal', 'be', 'ris']
const VOCABULARY = 8_000
const SEED = 20_251

const words = Array.from({ length: VOCABULARY }, (_, at) => wordOf(at + SYLLABLES.length))

/** Two or more syllables, unique per number. */
function wordOf(number: number): string {
  const rest = Math.floor(number / SYLLABLES.length)
  return (rest === 0 ? '' : wordOf(rest)) + (SYLLABLES[number % SYLLABLES.length] ?? '')
}

/** A sentence of a dozen words that includes its number. */
export function textOf(number: number): string {
  const chance = createChance(SEED + number)
  const chosen = Array.from({ length: 12 }, () => words[Math.floor(VOCABULARY ** (chance(10_000) / 10_000)) - 1])
  return `${chosen.join(' ')} ${String(number)}.`
}
