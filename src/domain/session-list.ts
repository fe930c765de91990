/** Listing of a subject's sessions. */

export interface SessionSummary {
  readonly sessionId: string
  /** Whether an actor holds the session in memory, or only storage has it. */
  readonly state: 'active' | 'stored'
  readonly modelName: string
  /** Memories that have not expired. */
  readonly totalMemories: number
  /** Epoch seconds. */
  readonly lastActiveAt: number
  /** False for a session that its owner made for itself and that has received nothing yet. */
  readonly isUsed: boolean
}

/** A page, ascending by id in code units. */
export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** Start of the next page: the last id of this one; null on the last page. */
  readonly next: string | null
}
