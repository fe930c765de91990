/** Synonyms that are none of certain things. */
import type { Reading } from './words.js'

interface Sense {
  /** What it is about, where the two are told apart. */
  readonly thing: RegExp
  readonly one: RegExp
  readonly other: RegExp
}

const SENSES: readonly Sense[] = [
  // What is written on: taken out it is whole, and emptied it is still there.
  {
    thing: namePattern(
      'dis[kc]|drive|(?:sd|memory|sim|sound|graphics) card|(?:memory|usb) stick|tape|ssd|cassette|\\p{L}*(?:festplatte|laufwerk|speicherkarte|stick|diskette)n?'
    ),
    one: /^(?:remov|entfern)/,
    other: /^(?:delet|eras|ge?lösch|lösch)/
  },
  // Made, or over.
  { thing: namePattern('contract|deal|agreement|treaty'), one: /^conclud/, other: /^(?:end|finish)/ },
  // Gone to, or spoken to.
  {
    thing: namePattern(
      '\\p{L}*(?:büro|amt|praxis|filiale|klinik|krankenhaus|hotel|bahnhof|flughafen|hafen|laden|geschäft|schule|museum|rathaus|werkstatt|haltestelle|insel|strand)'
    ),
    one: /^erreich/,
    other: /^kontaktier/
  },
  // Laid, or moved.
  {
    thing: namePattern('\\p{L}*(?:fliese|kabel|teppich|laminat|parkett|rohr|leitung|stein|platte)\\p{L}*'),
    one: /^verleg/,
    other: /^(?:ver)?schieb/
  }
]

/** "Remove the disk", "erase the disk". */
export function isMeantOtherwise(own: Reading, other: Reading): boolean {
  const has = ({ words }: Reading, pattern: RegExp): boolean => words.some(({ written }) => pattern.test(written))
  return SENSES.some((sense) => has(own, sense.one) && has(other, sense.other) && !has(own, sense.other) && sense.thing.test(own.text))
}

function namePattern(names: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${names})s?(?!\\p{L})`, 'iu')
}
