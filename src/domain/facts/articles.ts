/** Compares articles when nothing else differs. */
import type { Word } from './words.js'

const DEFINITE = /^(?:the|d(?:er|ie|as|en|em|es))$/
const ARTICLE = /^(?:the|an?|d(?:er|ie|as|en|em|es)|(?:[mdsk]?ein|ihr|unser|eur|dies|jed|welch)(?:e[nmrs]?)?|euer)$/

/** Source of an expression for German possessives without their endings. */
export const GERMAN_POSSESSIVE_STEM = '(?:[mds]ein|ihr|unser|euer|eur)'
/** They are interchangeable with a definite article: "mein Passwort", "das Passwort". */
export const GERMAN_POSSESSIVE = new RegExp(`^${GERMAN_POSSESSIVE_STEM}(?:e[nmrs]?)?$`)

/**
 * Whether the texts are equal word for word except for articles: "in die Schule" and "in der Schule", "the winner" and "a winner". A
 * possessive in place of a definite article does not count as a difference.
 */
export function differsInArticlesOnly(own: readonly Word[], others: readonly Word[]): boolean {
  if (own.length !== others.length) return false
  let differs = false
  for (const [at, { written: text }] of own.entries()) {
    const other = others[at]?.written ?? ''
    if (text === other) continue
    if (!ARTICLE.test(text) || !ARTICLE.test(other)) return false
    const isKnown = (DEFINITE.test(text) && GERMAN_POSSESSIVE.test(other)) || (GERMAN_POSSESSIVE.test(text) && DEFINITE.test(other))
    if (!isKnown && !(text.startsWith('a') && other.startsWith('a'))) differs = true
  }
  return differs
}
