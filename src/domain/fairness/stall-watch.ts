/** Records what occupies the event loop, to report it in case of a stall. */
import type { Pieces } from '../pieces.js'

/** Knows what currently occupies the event loop. */
export interface StallWatch {
  /**
   * Runs `work` and records it. `command` is one of a few kinds; of `input` only sizes are recorded. For asynchronous work only its
   * synchronous start is recorded.
   */
  during<Result>(command: string, input: unknown, work: () => Result): Result
}

interface Watched {
  readonly watch: StallWatch
  readonly name: string
  /** Input whose sizes are recorded. */
  readonly sizes: unknown
}

/** The same work with each of its pieces recorded. */
export function* watched<Result>({ watch, name, sizes }: Watched, pieces: Pieces<Result>): Pieces<Result> {
  const piece = () => pieces.next()
  const goOn = () => watch.during(name, sizes, piece)
  try {
    for (let next = goOn(); ; next = goOn()) {
      if (next.done === true) return next.value
      yield
    }
  } finally {
    pieces.return(undefined as never)
  }
}
