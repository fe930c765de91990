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
    thing: namePattern('dis[kc]|drive|(?:sd|memory|sim|sound|graphics) card|(?:memory|usb) stick|tape|ssd|cassette'),
    one: /^remov/,
    other: /^(?:delet|eras)/
  },
  // Taken off the list, or gone for good.
  { thing: namePattern('app|widget|icon|shortcut|album|playlist'), one: /^remov/, other: /^(?:delet|eras)/ },
  // Left off, or brought to its end; and what a surface has.
  {
    thing:
      /(?<!\p{L})(?:(?:end|finish)(?:s|e?d|e?s|ing)? (?:the|an?|my|your|his|her|our|their|its?|this|that)|(?:what|which|the|an?) finish)(?!\p{L})/iu,
    one: /^end/,
    other: /^finish/
  },
  // A thin layer, or what pictures are taken on.
  {
    thing: namePattern('camera|lens|roll|kodak|analogu?e?|develop|protective|plastic|cling|peel|tint|window|screen|oil|glass'),
    one: /^film/,
    other: /^movie/
  },
  // What somebody manages, or is brought to.
  {
    thing:
      /(?<!\p{L})(?:make|makes|made|making) (?:it|sure|sense|do|up|out|me|you|him|her|us|them|friends|money|time|room|way|the (?:team|cut|list|final|finals|news))(?!\p{L})/iu,
    one: /^ma[dk]/,
    other: /^creat/
  },
  // Up a slope, or in somebody's car.
  {
    thing:
      /(?<!\p{L})(?:ski|skiing|slopes?|pistes?|mountain|resort|chair|gondola|valley|(?:need|give|gave|get|got|want|offer|have) (?:\p{L}+ )?a lift)(?!\p{L})/iu,
    one: /^lift/,
    other: /^elevator/
  },
  // What somebody is good at.
  { thing: /(?<!\p{L})(?:ha(?:ve|s|d)|got) (?:an? |the |\p{L}+ )gift(?!\p{L})/iu, one: /^gift/, other: /^present/ },
  // A list, or made of paper.
  {
    thing: namePattern(
      'staff|phone|telephone|employee|member|company|business|school|paper|shelf|desk|drawer|tree|telefon|teilnehmer|mitarbeiter|mitglieder|literatur|regal|schrank|papier'
    ),
    one: /^(?:director|verzeichnis)/,
    other: /^(?:folder|ordner)/
  },
  // Made to work with its maker, or to run.
  {
    thing: namePattern(
      'phone|smartphone|iphone|sim|card|tablet|laptop|computer|device|watch|windows|office|licen[cs]e|tv|handy|\\p{L}*karte|gerät|rechner|uhr|lizenz|fernseher'
    ),
    one: /^(?:de)?a[ck]ti[vf]/,
    other: /^(?:enabl|disabl|(?:ein|an|aus|ab)(?:ge)?schalt)/
  },
  // Of a train.
  {
    thing:
      /(?<!\p{L})(?:zug(?:es|s)?|ice?|bahn|gleis|\p{L}*platz|abteil|\p{L}*restaurant|nummer|pferde?|(?:in|von) welche[mnr]|sitzen?|sitzt)(?!\p{L})/iu,
    one: /^wagens?$/,
    other: /^(?:auto|pkw)/
  },
  // What it is good for.
  {
    thing: /(?<!\p{L})(?:(?:was|wem|wozu|wenig|viel|nichts|etwas) nutz\p{L}*|nutz\p{L}* (?:mir|dir|ihm|ihr|uns|euch|ihnen))(?!\p{L})/iu,
    one: /^nutz/,
    other: /^(?:be|ver)/
  },
  // Kept as it is.
  {
    thing: namePattern(
      '\\p{L}*(?:wert|frische|gesundheit|farbe|form|gebäude|haus|denkmal|natur|frieden|bräune|kraft|struktur|qualität|glanz|leben|schönheit|umwelt)'
    ),
    one: /^erh[aä]lt/,
    other: /^(?:bekomm|krieg)/
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
