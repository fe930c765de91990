/** Texts in the form in which they are compared. */

/**
 * Rows of combining marks, those that only become ones by the normal form among them. Putting a row in order takes time with the square
 * of its length, so rows end where Unicode's stream-safe format ends them (UAX #15, section 13): at 30.
 */
const LONG_ROW = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** All but the two characters that stand for whole phrases, of 18 and 8 letters. */
const NO_PHRASES = /[^\ufdfa\ufdfb]+/g

const BEYOND_ASCII = /\P{ASCII}/u

/** Whether a text is in any form as it is, as most are. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text)
}

/**
 * Unicode's compatibility form (NFKC), in linear time: what a row has beyond 30 combining marks is left out, and a character that stands
 * for a phrase stays as it is. At most six times as long as the text.
 */
export function compatibilityForm(text: string): string {
  if (isAscii(text)) return text
  return text.replace(LONG_ROW, '$1').replace(NO_PHRASES, (part) => part.normalize('NFKC'))
}

/** `café` and `cafe` are one word; marks of other scripts carry meaning and stay. */
export function withoutAccents(word: string): string {
  return /^[a-z0-9]*$/.test(word)
    ? word
    : word
        .normalize('NFD')
        .replace(/(?<=[a-z])\p{M}+/gu, '')
        .normalize('NFC')
}

/** As `compatibilityForm`, upper and lower case alike. */
export function foldCase(text: string): string {
  return compatibilityForm(text).toLowerCase()
}
