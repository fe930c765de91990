/** What was tried on a session, and what is known of it. */
import { isMemory } from './tokens.js'

/** One write, as what it does to a session when it happens. */
export interface Operation {
  readonly name: string
  readonly session: string
  /** Tokens that are there afterwards: all of them or none. */
  readonly adds: readonly string[]
  /**
   * What is gone afterwards: every memory, the whole session, or what fits a pattern, which is a token, or an entity's key and `=`.
   * An operation that removes and adds removes first.
   */
  readonly removes: 'memories' | 'session' | readonly string[]
}

/** `unknown`: no answer came, or one that does not say. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export interface Attempt {
  readonly operation: Operation
  /** Places in the order of all beginnings and ends. An attempt without a known outcome never ends: it may still happen. */
  readonly began: number
  ended: number
  outcome: Outcome
}

/** What can be seen of a session, over HTTP. */
export interface Sighting {
  /** How often each token is there; null for a text that is nobody's. */
  readonly tokens: readonly (string | null)[]
  /** Epoch seconds: tells a session from the one that had its id before. */
  readonly createdAt: number
  readonly interactionCount: number
  /** As the metrics count them. */
  readonly memoryCount: number
  readonly entityCount: number
}

/** A session as it was last seen, and what was tried since. */
export interface Account {
  /** Null: it did not exist. */
  createdAt: number | null
  present: ReadonlySet<string>
  /** Were there once, or could have been. */
  readonly gone: Set<string>
  /** Messages that were counted, and whose memories were deleted later. */
  forgottenQuestions: number
  attempts: Attempt[]
}

/** Whether the operation, when it happens, leaves the token gone; what it adds itself aside. */
export function doesRemove({ removes }: Operation, token: string): boolean {
  if (removes === 'session') return true
  if (removes === 'memories') return isMemory(token)
  return removes.some((pattern) => pattern === token || (pattern.endsWith('=') && token.startsWith(pattern)))
}
