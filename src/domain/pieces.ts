/** Long work in pieces, so that its runner may let others in between. */

/** After each `yield` other work may come in between. Ended before its end by `return`, it gives back what it has taken. */
export type Pieces<Result> = Generator<void, Result, void>

/** Work that is too little to be divided. */
export function* atOnce<Result>(work: () => Result): Pieces<Result> {
  return work()
}

/** What was worked on since the last pause, in pieces: a pause after each of many little steps would cost more than they do. */
export interface Pace {
  pieces: number
}

/** Nothing worked on yet. */
export function createPace(): Pace {
  return { pieces: 0 }
}

/** Counts work of so many pieces, mostly a part of one. Whether it is time for a pause. */
export function isPauseDue(pace: Pace, pieces: number): boolean {
  pace.pieces += pieces
  if (pace.pieces < 1) return false
  pace.pieces = 0
  return true
}

/** Does all of it in one go. */
export function inOneGo<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}
