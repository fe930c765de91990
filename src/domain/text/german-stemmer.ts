/**
 * Light German stemming: removes plural and case endings only (J. Savoy, "Light stemming approaches for the French, Portuguese, German and
 * Hungarian languages", SAC 2006).
 */
const S_ENDINGS = 'bdfghklmnt'

/** Stem of one lower-case German word. Umlauts are folded (`häuser` and `haus` share a stem), also when written out (`haeuser`). */
export function stemGerman(word: string): string {
  return stepDegree(stepCase(foldUmlauts(word)))
}

/** Written-out umlauts as in Snowball's "German2": not after a vowel (`neue`, `bauer`) or a q. */
const WRITTEN_OUT = /(?<![aeiouyqäöü])([aou])e/g

function foldUmlauts(word: string): string {
  const folded = word
    .replace(WRITTEN_OUT, '$1')
    .replace(/[äàáâ]/g, 'a')
    .replace(/[öòóô]/g, 'o')
    .replace(/[üùúû]/g, 'u')
  return folded.replace(/[ïìíî]/g, 'i').replaceAll('ß', 'ss')
}

function stepCase(word: string): string {
  if (word.length > 5 && word.endsWith('ern')) return word.slice(0, -3)
  if (word.length > 4 && /e[mnrs]$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1)
  return endsInDroppedS(word) ? word.slice(0, -1) : word
}

function stepDegree(word: string): string {
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3)
  if (word.length > 4 && (word.endsWith('er') || word.endsWith('en'))) return word.slice(0, -2)
  return word.length > 4 && word.endsWith('st') && S_ENDINGS.includes(word.charAt(word.length - 3)) ? word.slice(0, -2) : word
}

function endsInDroppedS(word: string): boolean {
  return word.length > 3 && word.endsWith('s') && S_ENDINGS.includes(word.charAt(word.length - 2))
}
