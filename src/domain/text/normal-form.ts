/** Normal forms in which texts are compared. */

/**
 * Long runs of combining marks, including characters that only become marks by normalisation. Ordering a run takes time quadratic in its
 * length, so runs are cut where Unicode's stream-safe format cuts them (UAX #15, section 13): at 30.
 */
const LONG_ROW = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** All but two characters, which expand to whole phrases of 18 and 8 letters. */
const NO_PHRASES = /[^\ufdfa\ufdfb]+/g

const BEYOND_ASCII = /\P{ASCII}/u

/** Whether a text is in every normal form as it is, like most texts. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text)
}

/**
 * Unicode's compatibility form (NFKC) in linear time, with two exceptions: marks beyond 30 in a run are dropped, and characters that stand
 * for a phrase are kept. At most six times as long as the text.
 */
export function compatibilityForm(text: string): string {
  if (isAscii(text)) return text
  return text.replace(LONG_ROW, '$1').replace(NO_PHRASES, (part) => part.normalize('NFKC'))
}

/** Accents of Latin and Greek letters, the dots of a Russian ё, Arabic and Hebrew points: many people write without them. */
const ACCENTS = /(?<=[a-zα-ω])\p{M}+|(?<=е)\u0308|[\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u0655\u0670]/gu

/** Letters that people and keyboards interchange, but no Unicode decomposition relates. */
const ALIKE = new Map(Object.entries({ ı: 'i', ø: 'o', ł: 'l', đ: 'd', ς: 'σ', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه' }))
const ALIKE_LETTER = new RegExp(`[${[...ALIKE.keys()].join('')}]`, 'gu')

/** Removes accents, so that `café` equals `cafe` and `ışık` equals `IŞIK`. Marks of other scripts carry meaning and stay. */
export function withoutAccents(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word
  const plain = word.normalize('NFD').replace(ACCENTS, '').normalize('NFC')
  return plain.replace(ALIKE_LETTER, (letter) => ALIKE.get(letter) as string)
}

/** `compatibilityForm` in lower case. */
export function foldCase(text: string): string {
  return compatibilityForm(text).toLowerCase()
}
