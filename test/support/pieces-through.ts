/** How many pieces of long work are done in each time slice, while something is asked. */
import type { ManualClock } from './manual-clock.js'

export interface SeenPieces {
  /** Pieces that are left to do. */
  readonly left: number
  /** Those that were done in each time slice. */
  readonly atOnce: number[]
}

/** Lets time slices pass until the ask is answered, a hundred at most. */
export async function through<Result>(clock: ManualClock, seen: SeenPieces, asked: Promise<Result>): Promise<Result> {
  const progress = { isOver: false }
  const over = () => (progress.isOver = true)
  asked.then(over, over)
  while (!progress.isOver && seen.atOnce.length < 100) {
    const before = seen.left
    await clock.turn()
    seen.atOnce.push(before - seen.left)
  }
  return asked
}
