/**
 * Words of order that qualify the telling: "What did I say first about the garden?", "What came after the move?". Words that qualify what
 * is told ("my first job") are content. English and German; "the first thing that I told you" also in French, Spanish and Italian.
 */

/** Longest query, in UTF-16 units; a longer text tells more than it asks. */
const QUERY_LENGTH_MAX = 200

export interface NamedOrder {
  readonly place: 'first' | 'last' | 'after' | 'before'
  /** Topic of the query: its text without words of order and of telling. */
  readonly matter: string
  /** Reference point of `after` and `before`; empty for `first` and `last`. */
  readonly landmark: string
}

const TELLING =
  /(?<!\p{L})(?:say|said|tell|told|mention(?:ed)?|write|wrote|written|report(?:ed)?|noted?|inform(?:ed)?|discuss(?:ed)?|talk(?:ed)?|gesagt|sagte|erzählte?|geschrieben|schrieb|berichtet|erwähnt|gemeldet|notiert|mitgeteilt)(?!\p{L})/giu
/** The teller is a participant of the conversation, or is not named. */
const TELLER = /(?<!\p{L})(?:i|we|you|ich|wir|du|(?:was|were|has been|have been) \p{L}+|wurden?)(?!\p{L})/iu
const MESSAGE = '(?:message|note|mention|comment|remark|statement|Nachricht|Notiz|Meldung|Mitteilung|Bemerkung)s?(?:en)?'

interface Rule {
  readonly pattern: RegExp
  /** What the query must contain as well: a verb of telling; or that or a verb in the past ("When was the meeting at first?"). */
  readonly beside: 'telling' | 'past' | 'nothing'
}

const ENGLISH_PAST = /(?<!\p{L})(?:was|were|did|had|used to)(?!\p{L})/iu
/** Without "was", which is a question word in German. */
const GERMAN_PAST = /(?<!\p{L})(?:war|waren|hatten?|wurden?|lautete|hieß|wohnten?|kostete|\p{L}{3,20}te)(?!\p{L})/iu

const GERMAN_START = /^\W*(?:wie|was|wer|wen|wem|wann|wo|woher|wohin|warum|welche[rsmn]?|womit)(?!\p{L})(?! the )/iu

function rule(pattern: string, beside: Rule['beside'] = 'telling'): Rule {
  return { pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'iu'), beside }
}

const ENGLISH_NEXT = '(?= (?:about|on|of|to|regarding|concerning|say|tell|mention|write|report|note|talk|discuss)(?!\\p{L})|[?.!,]|$)'
const GERMAN_NEXT = '(?=,| (?:was|über|von|vom|zu|zum|zur|gesagt|erzählt|geschrieben|berichtet|erwähnt|gemeldet|notiert)(?!\\p{L})|[?.!]|$)'
const OWN = '(?:(?:the|my|our|your|das|die|meine?|unsere?) )?(?:very )?'

const FIRST: readonly Rule[] = [
  rule(`${OWN}(?:first|earliest|erste) ${MESSAGE}`, 'nothing'),
  rule(`${OWN}first (?:thing|things|news|words?)`),
  rule(`(?<!(?:the|my|our|your|his|her|their|an?) )(?:first|originally|initially)${ENGLISH_NEXT}`),
  rule('(?:at first|in the beginning|at the (?:very )?(?:start|beginning|outset)|originally|initially|original)(?! of)', 'past'),
  rule('(?<=in )(?:my|our|the) (?:very )?first'),
  rule(`(?:als|das) (?:aller)?erstes?${GERMAN_NEXT}`),
  rule('(?:zuerst|anfangs|am anfang|zu beginn|ursprünglich\\p{L}*|zunächst|früher)(?! (?:von|vom|des|der)(?!\\p{L}))', 'past')
]
const LAST: readonly Rule[] = [
  rule(`${OWN}(?:last|latest|most recent|newest|letzte|neueste|jüngste) ${MESSAGE}`, 'nothing'),
  rule('(?:the )?latest(?: news)?(?= (?:on|about|from|regarding|with)(?!\\p{L}))', 'nothing'),
  rule(`${OWN}(?:last|latest|most recent) (?:thing|things|news|words?)`),
  rule(`(?<!(?:the|my|our|your|his|her|their|an?) )(?:last|lastly|most recently)${ENGLISH_NEXT}`),
  rule('(?:in the end|at last)(?! of)'),
  rule('(?<=in )(?:my|our|the) (?:very )?(?:last|latest|most recent)'),
  rule(`(?:als|das) letztes?${GERMAN_NEXT}`),
  rule('zuletzt|zum schluss')
]

/** Only the text after the match is used, as small words of these languages are not known otherwise. */
const ROMANCE: readonly (readonly [NamedOrder['place'], RegExp])[] = [
  ['first', /(?:lo primero que|la première chose que|la prima cosa che)(?= )/iu],
  ['last', /(?:lo último que|la dernière chose que|l['’]ultima cosa che)(?= )/iu]
]
const ROMANCE_SMALL =
  /(?<!\p{L})(?:t[eiu]?|l[eaio]s?|je|j|ai|ho|vous|os|une?|del?|du|des|della?|sobre|sur|su[li]?|el|los|di|dije|conté|escribí|dite?|racontée?|detto|raccontato|scritto)(?!\p{L})/giu

const WHAT_CAME =
  '(?:came|comes|happened|was|followed|(?:did|have) (?:i|we) (?:say|do|done|tell|told|write|report|mention)(?: (?:to )?you)?|did ([^\\s,?]{1,30}(?: [^\\s,?]{1,30})?) (?:tell|write|say|report)(?: to)? (?:us|me))'
const WAS_KAM = '(?:kam|war|geschah|passierte|folgte|(?:ist|habe? (?:ich|wir))(?: (?:passiert|geschehen|gesagt|erzählt|gemacht|getan))?)'
const SOON = '(?:right |directly |just |immediately |shortly |soon |direkt |gleich |kurz |unmittelbar )?'
const GERMAN_ARTICLE = '(?:de[mnr]|(?:mein|dein|unser|sein|ihr|dies)e[mnr]) '
const BESIDE: readonly RegExp[] = [
  new RegExp(`^\\W*(?:and |so )?what ${WHAT_CAME} ${SOON}(after|before) (.*)$`, 'iu'),
  new RegExp(`^\\W*(?:und )?was ${WAS_KAM}() ${SOON}((?:nach|vor)(?= ${GERMAN_ARTICLE})) (.*)$`, 'iu'),
  new RegExp(`^\\W*(?:und )?was ${WAS_KAM}(),? ${SOON}(nachdem|bevor) (.*)$`, 'iu')
]

/**
 * Null for a query that asks for no order of telling. `isAsked`: whether the text asks at all; one that does not may still name a message.
 */
export function namedOrder(text: string, isAsked: boolean): NamedOrder | null {
  if (text.length > QUERY_LENGTH_MAX) return null
  return besides(text) ?? atEnd(text, isAsked) ?? inRomance(text)
}

function besides(text: string): NamedOrder | null {
  for (const pattern of BESIDE) {
    const [, matter = '', order, landmark = ''] = pattern.exec(text) ?? []
    if (order === undefined) continue
    return { place: /^(?:after|nach)/i.test(order) ? 'after' : 'before', matter, landmark }
  }
  return null
}

function atEnd(text: string, isAsked: boolean): NamedOrder | null {
  const rest = text.replace(TELLING, ' ')
  const isTold = isAsked && rest !== text && TELLER.test(text)
  const isPast = isAsked && (GERMAN_START.test(text) ? GERMAN_PAST : ENGLISH_PAST).test(text)
  for (const [place, rules] of [
    ['first', FIRST],
    ['last', LAST]
  ] as const) {
    const isBeside = { telling: isTold, past: isTold || isPast, nothing: true }
    const found = rules.find(({ pattern, beside }) => isBeside[beside] && pattern.test(text))
    if (found === undefined) continue
    return { place, matter: text.replace(found.pattern, ' ').replace(TELLING, ' '), landmark: '' }
  }
  return null
}

function inRomance(text: string): NamedOrder | null {
  for (const [place, pattern] of ROMANCE) {
    const found = pattern.exec(text)
    if (found !== null) {
      const matter = text.slice(found.index + found[0].length).replace(ROMANCE_SMALL, ' ')
      return { place, matter, landmark: '' }
    }
  }
  return null
}
