/** Long work in pieces, so that its runner may let others in between. */

/** After each `yield` other work may come in between. Ended before its end by `return`, it gives back what it has taken. */
export type Pieces<Result> = Generator<void, Result, void>

/** Work that is too little to be divided. */
export function* atOnce<Result>(work: () => Result): Pieces<Result> {
  return work()
}

/** Does all of it in one go. */
export function inOneGo<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const next = work.next()
    if (next.done === true) return next.value
  }
}
