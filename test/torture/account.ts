/** Types for what was attempted on a session and what was seen of it. */
import { isMemory } from './tokens.js'

/** One write, described by its effect on a session. */
export interface Operation {
  readonly name: string
  readonly session: string
  /** Tokens that it adds: all of them or none. */
  readonly adds: readonly string[]
  /**
   * What it removes: all memories, the whole session, or what matches one of the patterns. A pattern is a token, or an entity's key with
   * `=`. An operation that removes and adds removes first.
   */
  readonly removes: 'memories' | 'session' | readonly string[]
}

/** `unknown`: there was no answer, or one that leaves it open. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

export interface Attempt {
  readonly operation: Operation
  /** Positions in the order of all beginnings and ends. An attempt with an unknown outcome never ends, since it may still happen. */
  readonly began: number
  ended: number
  outcome: Outcome
}

/** What was read of a session over HTTP. */
export interface Sighting {
  /** The token of each memory and entity, with duplicates; null for a text that nobody wrote. */
  readonly tokens: readonly (string | null)[]
  /** Epoch seconds; distinguishes a session from an earlier one with the same id. */
  readonly createdAt: number
  readonly interactionCount: number
  /** Numbers of memories and entities according to the metrics. */
  readonly memoryCount: number
  readonly entityCount: number
}

/** A session as it was last seen, and what was attempted since. */
export interface Account {
  /** Null if it did not exist. */
  createdAt: number | null
  present: ReadonlySet<string>
  /** Tokens that were present once, or may have been. */
  readonly gone: Set<string>
  /** Number of counted messages whose memories were deleted later. */
  forgottenQuestions: number
  attempts: Attempt[]
}

/** Whether the operation removes the token, apart from what it adds itself. */
export function doesRemove({ removes }: Operation, token: string): boolean {
  if (removes === 'session') return true
  if (removes === 'memories') return isMemory(token)
  return removes.some((pattern) => pattern === token || (pattern.endsWith('=') && token.startsWith(pattern)))
}
