/** Counts the pieces of long work that run in each time slice while a command is asked. */
import type { ManualClock } from './manual-clock.js'

export interface SeenPieces {
  /** Pieces that are left. */
  readonly left: number
  /** Pieces that ran in each time slice. */
  readonly atOnce: number[]
}

/** Runs time slices until the ask is answered, at most a hundred. */
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
