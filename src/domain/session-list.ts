/** A subject's sessions as a listing shows them. */

export interface SessionSummary {
  readonly sessionId: string
  /** Whether an actor holds the session in memory, or only storage has it. */
  readonly state: 'active' | 'stored'
  readonly modelName: string
  /** Those that have not expired. */
  readonly totalMemories: number
  /** Epoch seconds. */
  readonly lastActiveAt: number
  /** False: its owner made it for itself, and nothing has come in yet. */
  readonly isUsed: boolean
}

/** Ascending by id, by code unit. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** Where the next page begins: the last id of this one; null when there is no more. */
  readonly next: string | null
}
