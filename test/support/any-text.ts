/** Arbitrary texts of any Unicode characters. */
import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const CODE_POINTS = 0x110000

/**
 * Any character except lone surrogates. fast-check's own generator builds a table of all of them in each process, which takes longer than
 * most tests.
 */
export const anyCharacter = fc
  .nat(CODE_POINTS - SURROGATES.count - 1)
  .map((number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count))
