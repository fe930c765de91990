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

/** Accents of Latin and Greek letters, the dots of a Russian ё, Arabic and Hebrew points: many write without them. */
const ACCENTS = /(?<=[a-zα-ω])\p{M}+|(?<=е)\u0308|[\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u0655\u0670]/gu

/** Letters that people and keyboards put for each other, without any decomposition. */
const ALIKE = new Map(Object.entries({ ı: 'i', ø: 'o', ł: 'l', đ: 'd', ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' }))
const ALIKE_LETTER = new RegExp(`[${[...ALIKE.keys()].join('')}]`, 'gu')

/** `café` and `cafe` are one word, and so are `ışık` and `IŞIK`; marks of other scripts carry meaning and stay. */
export function withoutAccents(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word
  const plain = word.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
  return plain.replace(ALIKE_LETTER, (letter) => ALIKE.get(letter) as string)
}

/** As `compatibilityForm`, upper and lower case alike. */
export function foldCase(text: string): string {
  return compatibilityForm(text).toLowerCase()
}
