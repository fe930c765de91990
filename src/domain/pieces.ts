/** Long work in pieces, so that other work can run in between. */

/** Work that yields after each piece. Ending it early with `return` releases what it holds. */
export type Pieces<Result> = Generator<void, Result, void>

/** Work too small to divide. */
export function* atOnce<Result>(work: () => Result): Pieces<Result> {
  return work()
}

/** Work done since the last pause, in pieces. Pausing after every small step would cost more than the steps. */
export interface Pace {
  pieces: number
}

/** Pace with nothing counted yet. */
export function createPace(): Pace {
  return { pieces: 0 }
}

/** Adds work, usually a fraction of a piece. Returns whether a pause is due. */
export function isPauseDue(pace: Pace, pieces: number): boolean {
  pace.pieces += pieces
  if (pace.pieces < 1) return false
  pace.pieces = 0
  return true
}

/** Runs all pieces without a pause. */
export function inOneGo<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}
