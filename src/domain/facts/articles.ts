/** Compares articles when nothing else differs. */
import type { Word } from './words.js'

const DEFINITE = /^(?:the|d(?:er|ie|as|en|em|es))$/
const ARTICLE = /^(?:the|an?|d(?:er|ie|as|en|em|es)|(?:[mdsk]?ein|ihr|unser|eur|dies|jed|welch)(?:e[nmrs]?)?|euer)$/
/** German possessives. They are interchangeable with a definite article: "mein Passwort", "das Passwort". */
const POSSESSIVE = /^(?:[mds]ein|ihr|unser|eur)(?:e[nmrs]?)?$|^euer$/

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
    const isKnown = (DEFINITE.test(text) && POSSESSIVE.test(other)) || (POSSESSIVE.test(text) && DEFINITE.test(other))
    if (!isKnown && !(text.startsWith('a') && other.startsWith('a'))) differs = true
  }
  return differs
}
