/** Contexts in which synonyms differ in meaning. */
import type { Reading } from './words.js'

interface Sense {
  /** Context in which `one` and `other` differ. */
  readonly thing: RegExp
  readonly one: RegExp
  readonly other: RegExp
}

const SENSES: readonly Sense[] = [
  // Storage media: removed they keep their data, erased they stay where they are.
  {
    thing: namePattern('dis[kc]|drive|(?:sd|memory|sim|sound|graphics) card|(?:memory|usb) stick|tape|ssd|cassette'),
    one: /^remov/,
    other: /^(?:delet|eras)/
  },
  // Removed from a list, or gone for good.
  { thing: namePattern('app|widget|icon|shortcut|album|playlist'), one: /^remov/, other: /^(?:delet|eras)/ },
  // Interrupted, or completed; and the finish of a surface.
  {
    thing:
      /(?<!\p{L})(?:(?:end|finish)(?:s|e?d|e?s|ing)? (?:the|an?|my|your|his|her|our|their|its?|this|that)|(?:what|which|the|an?) finish)(?!\p{L})/iu,
    one: /^end/,
    other: /^finish/
  },
  // A thin layer or photographic film.
  {
    thing: namePattern('camera|lens|roll|kodak|analogu?e?|develop|protective|plastic|cling|peel|tint|window|screen|oil|glass'),
    one: /^film/,
    other: /^movie/
  },
  // Something managed, or being made to do something.
  {
    thing:
      /(?<!\p{L})(?:make|makes|made|making) (?:it|sure|sense|do|up|out|me|you|him|her|us|them|friends|money|time|room|way|the (?:team|cut|list|final|finals|news))(?!\p{L})/iu,
    one: /^ma[dk]/,
    other: /^creat/
  },
  // A ski lift, or a ride in somebody's car.
  {
    thing:
      /(?<!\p{L})(?:ski|skiing|slopes?|pistes?|mountain|resort|chair|gondola|valley|(?:need|give|gave|get|got|want|offer|have) (?:\p{L}+ )?a lift)(?!\p{L})/iu,
    one: /^lift/,
    other: /^elevator/
  },
  // A talent.
  { thing: /(?<!\p{L})(?:ha(?:ve|s|d)|got) (?:an? |the |\p{L}+ )gift(?!\p{L})/iu, one: /^gift/, other: /^present/ },
  // A list, or something made of paper.
  {
    thing: namePattern(
      'staff|phone|telephone|employee|member|company|business|school|paper|shelf|desk|drawer|tree|telefon|teilnehmer|mitarbeiter|mitglieder|literatur|regal|schrank|papier'
    ),
    one: /^(?:director|verzeichnis)/,
    other: /^(?:folder|ordner)/
  },
  // Activated with the manufacturer, or switched on.
  {
    thing: namePattern(
      'phone|smartphone|iphone|sim|card|tablet|laptop|computer|device|watch|windows|office|licen[cs]e|tv|handy|\\p{L}*karte|gerät|rechner|uhr|lizenz|fernseher'
    ),
    one: /^(?:de)?a[ck]ti[vf]/,
    other: /^(?:enabl|disabl|(?:ein|an|aus|ab)(?:ge)?schalt)/
  },
  // A railway carriage.
  {
    thing:
      /(?<!\p{L})(?:zug(?:es|s)?|ice?|bahn|gleis|\p{L}*platz|abteil|\p{L}*restaurant|nummer|pferde?|(?:in|von) welche[mnr]|sitzen?|sitzt)(?!\p{L})/iu,
    one: /^wagens?$/,
    other: /^(?:auto|pkw)/
  },
  // To be of use.
  {
    thing: /(?<!\p{L})(?:(?:was|wem|wozu|wenig|viel|nichts|etwas) nutz\p{L}*|nutz\p{L}* (?:mir|dir|ihm|ihr|uns|euch|ihnen))(?!\p{L})/iu,
    one: /^nutz/,
    other: /^(?:be|ver)/
  },
  // To preserve.
  {
    thing: namePattern(
      '\\p{L}*(?:wert|frische|gesundheit|farbe|form|gebäude|haus|denkmal|natur|frieden|bräune|kraft|struktur|qualität|glanz|leben|schönheit|umwelt)'
    ),
    one: /^erh[aä]lt/,
    other: /^(?:bekomm|krieg)/
  }
]

/** Whether synonyms have different meanings in this context: "Remove the disk", "erase the disk". */
export function isMeantOtherwise(own: Reading, other: Reading): boolean {
  const has = ({ words }: Reading, pattern: RegExp): boolean => words.some(({ written }) => pattern.test(written))
  return SENSES.some((sense) => has(own, sense.one) && has(other, sense.other) && !has(own, sense.other) && sense.thing.test(own.given))
}

function namePattern(names: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${names})s?(?!\\p{L})`, 'iu')
}
