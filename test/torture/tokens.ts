/**
 * Tokens identify what each write wrote. The text of a memory and the value of an entity follow from the token alone, so that a text which
 * lost a character, or mixes two texts, belongs to no token.
 */
import { createHash } from 'node:crypto'

/** Kinds of tokens; the first letter of a token tells its kind. */
export type TokenSort = 'question' | 'answer' | 'ingested' | 'synthetic' | 'value'

const LETTERS: Record<TokenSort, string> = { question: 'q', answer: 'a', ingested: 'i', synthetic: 's', value: 'v' }

export function createTokens(): (sort: TokenSort) => string {
  let count = 0
  return (sort) => `${LETTERS[sort]}${++count}`
}

/** Text of a token: the token and eight words that no other text has, because similar texts would become one memory. */
export function textOf(token: string): string {
  const words = createHash('sha256').update(token).digest('hex').match(/.{8}/g) ?? []
  return [token, ...words].join(' ')
}

/** Token of a text; null if the text belongs to none. */
export function tokenOf(text: string): string | null {
  const token = text.slice(0, text.indexOf(' '))
  return textOf(token) === text ? token : null
}

/** Token of an entity: its key, `=`, and the token of its value. */
export function entityToken(key: string, token: string): string {
  return `${key}=${token}`
}

export function isMemory(token: string): boolean {
  return !token.includes('=')
}

/** Whether it is the token of a message, which a session counts as an interaction. */
export function isQuestion(token: string): boolean {
  return isMemory(token) && token.startsWith(LETTERS.question)
}
