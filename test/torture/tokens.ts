/**
 * Every write carries tokens of its own, and what is read back is known by them. A memory's text, and an entity's value, follow
 * from the token alone: a text that lost a character, or got another's, is nobody's.
 */
import { createHash } from 'node:crypto'

/** What a memory is, by the first letter of its token. */
export type TokenSort = 'question' | 'answer' | 'ingested' | 'synthetic' | 'value'

const LETTERS: Record<TokenSort, string> = { question: 'q', answer: 'a', ingested: 'i', synthetic: 's', value: 'v' }

export function createTokens(): (sort: TokenSort) => string {
  let count = 0
  return (sort) => `${LETTERS[sort]}${++count}`
}

/** The token, then eight words that no other text has: texts that resemble each other would become one memory. */
export function textOf(token: string): string {
  const words = createHash('sha256').update(token).digest('hex').match(/.{8}/g) ?? []
  return [token, ...words].join(' ')
}

/** Null for a text that no token makes. */
export function tokenOf(text: string): string | null {
  const token = text.slice(0, text.indexOf(' '))
  return textOf(token) === text ? token : null
}

/** An entity is known by its key and its value. */
export function entityToken(key: string, token: string): string {
  return `${key}=${token}`
}

export function isMemory(token: string): boolean {
  return !token.includes('=')
}

/** Messages are what a session counts as interactions. */
export function isQuestion(token: string): boolean {
  return isMemory(token) && token.startsWith(LETTERS.question)
}
