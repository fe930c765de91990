/** One question of the example conversation with the answer that a reader model gave. */
export interface Turn {
  /** What it is about; a turn with another topic than the one before it is where drift should show. */
  readonly topic: 'renovation' | 'database' | 'sourdough' | 'security' | 'lisbon' | 'tax' | 'running' | 'garden' | 'summary'
  /**
   * `repeat`: asks again what was answered before, so the short circuit should fire.
   * `near miss`: worded like an earlier question but asking something else, so it must not.
   */
  readonly kind?: 'repeat' | 'near miss'
  readonly user: string
  readonly assistant: string
}
