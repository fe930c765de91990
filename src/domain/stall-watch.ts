/** What the event loop is kept by, noted so that it can be told. */
import type { Pieces } from './pieces.js'

/** Knows what the event loop is kept by. */
export interface StallWatch {
  /**
   * Does the work. `command` names its kind and is one of a few; of `input` only sizes are told. Of work that goes on later its beginning
   * is noted.
   */
  during<Result>(command: string, input: unknown, work: () => Result): Result
}

interface Watched {
  readonly watch: StallWatch
  readonly name: string
  /** Of what is worked on. */
  readonly sizes: unknown
}

/** The same work, each piece of which is noted. */
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
