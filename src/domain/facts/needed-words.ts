/**
 * Words without which a regular expression cannot match, read from its source. Most texts have few of the words of a long list of patterns,
 * so most patterns need not be tried.
 */

/**
 * Characters of words, in lower case. Anything else ends them. Explicit ranges, because an expression with Unicode properties takes a
 * millisecond to compile.
 */
export const WRITTEN = '[0-9a-z\\u00df-\\u00f6\\u00f8-\\u024f]'
const WORDS = new RegExp(`${WRITTEN}+`, 'g')

/** What may match anything: classes, escapes, groups without another one inside, and whatever has a quantifier. */
const OPEN = /(?:\[(?:\\.|[^[\]\\])*\]|\\p\{[^}]*\}|\\.|\.|\([^()[\\]*\))(?:[?*+]|\{[\d,]+\})*|[^()[\\](?:[?*+]|\{[\d,]+\})+/g
const ANYTHING = '\0'

/** Syntax that is left of a pattern in which something was not read. */
const UNREAD = /[()[\]{}\\?*+]/

/** Words between spaces, commas and the ends of a pattern. */
const WHOLE = new RegExp(`(?<![^ ,^])${WRITTEN}+(?![^ ,$])`, 'g')

/**
 * Words that every match of `pattern` contains outside of groups, whole and in lower case. The pattern has to match from the start of a
 * word to the end of one. Throws for syntax that cannot be read here: words that it leaves out would be needed, and texts not looked at.
 */
export function neededWords(pattern: string): readonly string[] {
  let plain = pattern.toLowerCase()
  for (let before = ''; before !== plain;) {
    before = plain
    plain = before.replace(OPEN, ANYTHING)
  }
  if (UNREAD.test(plain)) throw new Error(`The words that this needs cannot be read: ${pattern}`)
  return plain.includes('|') ? [] : (plain.match(WHOLE) ?? [])
}

/** Words of a text in lower case. */
export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORDS))
}
