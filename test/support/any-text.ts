/** Arbitrary texts of any characters of Unicode. */
import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const CODE_POINTS = 0x110000

/**
 * One character of any kind but half of a pair. What fast-check has for it makes a table of all of them in each process, which takes longer
 * than most tests.
 */
export const anyCharacter = fc
  .nat(CODE_POINTS - SURROGATES.count - 1)
  .map((number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count))
