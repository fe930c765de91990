/** Numbers, units, currencies and times of a text in comparable forms. */
import type { Reading } from './words.js'

/** Without "one" and "ein", which are mostly not numbers. */
const ENGLISH_DIGITS = digitsOf(
  'zero 0 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 ten 10 eleven 11 twelve 12 thirteen 13 fourteen 14 fifteen 15 ' +
    'sixteen 16 seventeen 17 eighteen 18 nineteen 19 twenty 20 thirty 30 forty 40 fifty 50 sixty 60 seventy 70 eighty 80 ninety 90 ' +
    'hundred 100 thousand 1000 million 1000000 dozen 12'
)
const GERMAN_DIGITS = digitsOf(
  'null 0 zwei 2 drei 3 vier 4 fünf 5 sechs 6 sieben 7 acht 8 neun 9 zehn 10 elf 11 zwölf 12 zwanzig 20 dreißig 30 vierzig 40 fünfzig ' +
    '50 sechzig 60 siebzig 70 achtzig 80 neunzig 90 hundert 100 tausend 1000 dutzend 12'
)
const ORDINALS = digitsOf(
  'first 1. second 2. third 3. fourth 4. fifth 5. sixth 6. seventh 7. eighth 8. ninth 9. tenth 10. once x1 twice x2 double x2 triple ' +
    'x3 half 1/2 erste 1. ersten 1. erster 1. erstes 1. zweite 2. zweiten 2. zweiter 2. zweites 2. dritte 3. dritten 3. dritter 3. ' +
    'drittes 3. vierte 4. vierten 4. zweimal x2 dreimal x3 doppelt x2 halb 1/2 halbe 1/2'
)

const UNITS = new Map<string, string>()
for (const line of `
s sec secs second seconds sek sekunde sekunden
min mins minute minutes minuten
h hr hrs hour hours std stunde stunden
d day days tag tage tagen
week weeks woche wochen
month months monat monate monaten
year years yr yrs jahr jahre jahren
ms millisecond milliseconds millisekunden
mm millimeter millimeters millimetre millimetres
cm centimeter centimeters centimetre centimetres zentimeter
m meter meters metre metres metern
km kilometer kilometers kilometre kilometres kilometern
mi mile miles meile meilen
ft foot feet fuß
inch inches zoll
g gram grams gramm
kg kilo kilos kilogram kilograms kilogramm
lb lbs pound pounds pfund
l liter liters litre litres litern
ml milliliter millilitre milliliters millilitres
b byte bytes
kb kilobyte kilobytes
mb megabyte megabytes
gb gigabyte gigabytes
tb terabyte terabytes
am
pm
c celsius
f fahrenheit
k
eur euro euros €
usd dollar dollars $
gbp £
jpy yen ¥
chf franken francs
% percent prozent pct
`
  .trim()
  .split('\n')) {
  const forms = line.split(' ')
  for (const form of forms) UNITS.set(form, forms[0] ?? form)
}

/** Days, months and the like by spelling; a word without other spellings is its own value. */
const TIMES = new Map<string, string>()
for (const line of `
monday mondays mon montag montags
tuesday tuesdays tue tues dienstag dienstags
wednesday wednesdays wed mittwoch mittwochs
thursday thursdays thu thurs donnerstag donnerstags
friday fridays fri freitag freitags
saturday saturdays sat samstag samstags sonnabend
sunday sundays sonntag sonntags
january jan januar jänner
february feb februar
march mar märz
april apr
june jun juni
july jul juli
august aug
september sep sept
october oct oktober
november nov
december dec dezember
today heute
tomorrow morgen
yesterday gestern
tonight
übermorgen
vorgestern
noon mittag mittags
midnight mitternacht
weekend weekends wochenende
now jetzt
`
  .trim()
  .split('\n')) {
  const forms = line.split(' ')
  for (const form of forms) TIMES.set(form, forms[0] ?? form)
}

const TIME_UNITS = new Set('s min h d week month year'.split(' '))
/** "In 2 hours" differs from "2 hours". */
const AFTER = /(?:^|\s)in\s*$/iu

/** Words of TIMES that mostly mean something else in lower case. */
const AMBIGUOUS = new Set(['mon', 'wed', 'sat', 'mar', 'jan', 'march', 'dec', 'now'])

/** This one in particular, not any or every. */
const THIS_TIME =
  /(?<!\p{L})(?:this|diese[nmrs]?) (?:morning|afternoon|evening|week|weekend|month|year|spring|summer|autumn|winter|morgen|abend|woche|wochenende|monat|jahr|frühling|sommer|herbst|winter)(?!\p{L})/iu
const MORNING_OF = /(?:gestern|heute|übermorgen|tag|mittwoch) morgen(?!\p{L})/iu

/** A number with its unit as written: sign, leading currency, digits, unit. */
const QUANTITY = /(?<![\p{L}\p{N}.,_-])([-−+])?([$€£¥])?\s?(\d+(?:[.,:/-]\d+)*)(?:\s?(%|[$€£¥])|\s?(\p{L}{1,12})(?![\p{L}\p{N}_]))?/gu
/** Text between spaces and punctuation. */
const CHUNK = /[^\s"'“”„(),;:.?]+/gu
/** Signs of comparison, arithmetic or joining. */
const SIGN = /[#*+<=>@\\^|~≤≥≠±]|&&|^[-−/&]$/u
const OPTION = /^--?\p{L}/u

/** Replaces number words by digits: "two hours" becomes "2 hours". */
export function withDigits(text: string, isGerman: boolean): string {
  const digits = isGerman ? GERMAN_DIGITS : ENGLISH_DIGITS
  return text.replace(/\p{L}+/gu, (word) => digits.get(word.toLowerCase()) ?? word)
}

/** All numbers of the text with sign and unit, ordinals, signs and code identifiers, as comparable strings. */
export function numbersOf(reading: Reading): string[] {
  const values = reading.words.flatMap((word) => ORDINALS.get(word.text) ?? [])
  for (const match of reading.text.matchAll(QUANTITY)) {
    const { index, 1: sign, 2: currency, 3: digits = '', 4: mark, 5: unit } = match
    values.push(`${sign === '-' || sign === '−' ? '-' : ''}${plainNumber(digits, reading.isGerman)}`)
    const measure = UNITS.get(currency ?? mark ?? unit?.toLowerCase() ?? '')
    if (measure !== undefined) values.push(measure)
    if (TIME_UNITS.has(measure ?? '') && AFTER.test(reading.text.slice(0, index).slice(-4))) values.push('in')
  }
  values.push(...signsOf(reading.text))
  for (const word of reading.words) {
    if (word.isExact && !isMeasure(word.text)) values.push(plainNumber(word.text.replace(/^v(?=\d)/, ''), reading.isGerman))
  }
  return values
}

/** Signs with their operands ("i++", "a < b"), and command options, which are case-sensitive ("-r", "-R"). */
function signsOf(text: string): string[] {
  const chunks = text.match(CHUNK) ?? []
  return chunks.flatMap((chunk, at) => {
    if (OPTION.test(chunk)) return [chunk]
    if (!SIGN.test(chunk)) return []
    return [(/[\p{L}\p{N}]/u.test(chunk) ? chunk : [chunks[at - 1], chunk, chunks[at + 1]].join(' ')).toLowerCase()]
  })
}

/**
 * Unit symbols of information, power and the like, after a number or on their own. Case matters: it distinguishes thousandths from
 * millions, and bits from bytes.
 */
const SYMBOL = /(?<=\d\s?|(?<![\p{L}\p{N}_]))(?:[kmgt]b|[kmg](?:w|v|a|hz|pa|wh|bq|g))(?:it)?(?:ps|\/s)?(?![\p{L}\p{N}])/giu

/** Whether symbols differ in case: "5 mW", "5 MW". Ignored if a text writes them in lower case. */
export function hasOtherSymbols(a: Reading, b: Reading): boolean {
  const others = new Map(symbolsOf(b))
  return symbolsOf(a).some(([symbol, written]) => {
    const other = others.get(symbol)
    return other !== undefined && other !== written && other !== symbol && written !== symbol
  })
}

function symbolsOf({ text }: Reading): (readonly [symbol: string, written: string])[] {
  return (text.match(SYMBOL) ?? []).map((written) => [written.toLowerCase(), written])
}

/** Days, months and relative days. */
export function timesOf(reading: Reading): string[] {
  const times = reading.words.flatMap((word) => timeOf(word.text, reading) ?? [])
  return THIS_TIME.test(reading.text) ? [...times, 'this'] : times
}

/** Whether a word is a unit or a currency, by any of its names. */
export function isUnit(word: string): boolean {
  return UNITS.has(word)
}

/** Whether the checks in this file already compare a word: numbers, identifiers, units after a number, times. */
export function isComparedAsValue(reading: Reading, at: number): boolean {
  const word = reading.words[at]
  if (word === undefined) return false
  const isUnit = reading.words[at - 1]?.isExact === true && UNITS.has(word.text)
  return word.isExact || isUnit || timeOf(word.text, reading) !== null
}

function timeOf(word: string, reading: Reading): string | null {
  if (word === 'may' && reading.names.has('may')) return 'may'
  // Capitalised it is the time of day, unless a day precedes it: "am Morgen", "heute Morgen".
  if (word === 'morgen' && reading.names.has(word) && !MORNING_OF.test(reading.text)) return 'morning'
  if ((AMBIGUOUS.has(word) && !reading.names.has(word)) || (word === 'morgen' && !reading.isGerman)) return null
  return TIMES.get(word) ?? null
}

/** A number joined with its unit, such as "10km", is compared as both. */
function isMeasure(token: string): boolean {
  return /^\d/.test(token) && UNITS.has(token.replace(/^\d+/, ''))
}

function digitsOf(list: string): Map<string, string> {
  const found = new Map<string, string>()
  const items = list.split(' ')
  for (let i = 0; i < items.length; i += 2) found.set(items[i] ?? '', items[i + 1] ?? '')
  return found
}

/** `1,000` becomes 1000; in German `1.000` does too, and `1,5` becomes 1.5. Dates, times and versions stay as they are. */
function plainNumber(digits: string, isGerman: boolean): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  if (isGerman && /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/.test(digits)) return digits.replaceAll('.', '').replace(',', '.')
  return /^\d+,\d+$/.test(digits) ? digits.replace(',', '.') : digits
}
