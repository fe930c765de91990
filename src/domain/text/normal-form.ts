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

/** Characters without any meaning of their own: marks of direction, soft hyphens, variants of emoji. Joiners have one in some scripts. */
const INVISIBLE = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu
/** Lengthens an Arabic word. */
const TATWEEL = /\u0640/gu
const DIGIT = /(?!\d)\p{Nd}/gu
/** Letters that lower-case to an i with a dot of its own. */
const DOTTED = /\u0130|(?<=\p{Soft_Dotted})\u0307/gu
const ARABIC_POINT = /(?<=\d)\u066b(?=\d)/gu
const ARABIC_COMMA = /(?<=\d)\u066c(?=\d)/gu

/**
 * `compatibilityForm` without what makes no difference to a reader: invisible characters, the digits of other scripts, the Turkish capital
 * with a dot. Accents and vowel points stay, because they distinguish words.
 */
export function readableForm(text: string): string {
  if (isAscii(text)) return text
  const plain = compatibilityForm(text.replace(INVISIBLE, '').replace(TATWEEL, '')).replace(DIGIT, asciiDigit)
  return plain
    .replace(DOTTED, (letter) => (letter === '\u0130' ? 'I' : ''))
    .replace(ARABIC_POINT, '.')
    .replace(ARABIC_COMMA, ',')
}

/** Digits of a script stand together from 0 to 9. */
function asciiDigit(digit: string): string {
  const point = digit.codePointAt(0) as number
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(point - value - 1))) value++
  return String(value)
}

/** Languages whose capitals differ from those of all others: i in Turkish, accents in Greek. */
const CAPITALS = ['und', 'tr', 'el']

/** Whether one of two texts is the other in capitals; texts in ASCII alone never are, since there case may matter. */
export function isInCapitals(a: string, b: string): boolean {
  if (isAscii(a) && isAscii(b)) return false
  const [capital, other] = /\p{Ll}/u.test(a) ? [b, a] : [a, b]
  if (/\p{Ll}/u.test(capital) || !/\p{Ll}/u.test(other)) return false
  return CAPITALS.some((language) => other.toLocaleUpperCase(language).normalize() === capital.normalize())
}

const STRESS = /(?<=\p{Script=Greek})\u0301/u
const LAST_MARKS = /[\s?!.,;:…]{1,8}$/u

/**
 * Whether two Greek texts are equal except that one has no stress marks, as many people type, and for case and punctuation at the end. In
 * Greek they only say where a word is stressed; in other languages an accent often makes another word.
 */
export function isUnstressed(a: string, b: string): boolean {
  if (STRESS.test(a.normalize('NFD')) === STRESS.test(b.normalize('NFD'))) return false
  const [own, other] = [a, b].map((text) => text.replace(LAST_MARKS, '').toLocaleUpperCase('el'))
  return own === other
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
