/**
 * Queue for a fixed number of places. Known callers have most of the turns and the others the rest, each kind its callers in turn. Every
 * wait is bounded.
 */
import { DomainError } from '../domain/errors.js'
import { createFairQueue, type FairQueue } from '../domain/fairness/fair-queue.js'
import type { Cancel, Clock } from '../ports.js'

/** Turns that known callers have for each one of the others, while both wait: more, but never all of them. */
const KNOWN_TURNS = 3

interface TurnsOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly placesMax: number
  readonly waitMsMax: number
}

export interface Turn {
  /** Whose turn it is: a known subject, else a remote address. Its turns queue behind each other and alternate with those of others. */
  readonly from: string
  /** Whether it has precedence. */
  readonly isKnown: boolean
}

/** Resolves with a function that frees the place again. Rejects with `busy` after `waitMsMax`. */
type TakeTurn = (turn: Turn) => Promise<Cancel>

interface Waiting {
  readonly from: string
  readonly queue: FairQueue<Waiting>
  readonly enter: () => void
}

export function createFairGate({ clock, placesMax, waitMsMax }: TurnsOptions): TakeTurn {
  const known = createFairQueue<Waiting>()
  const others = createFairQueue<Waiting>()
  let taken = 0
  /** Turns of known callers since the last one of the others. */
  let knownTurns = 0

  function take(): Waiting | undefined {
    const next = (knownTurns < KNOWN_TURNS ? known.take() : undefined) ?? others.take() ?? known.take()
    knownTurns = next?.queue === known ? knownTurns + 1 : 0
    return next
  }
  function leave(): void {
    taken -= 1
    const next = take()
    next?.queue.charge(next.from, 1)
    next?.enter()
  }
  return ({ from, isKnown }) =>
    new Promise((resolve, reject) => {
      const enter = (): void => {
        taken += 1
        resolve(leave)
      }
      if (taken < placesMax) return enter()
      const queue = isKnown ? known : others
      const stopTimer = clock.after(waitMsMax, () => {
        queue.remove(from, waiting)
        reject(new DomainError('busy', 'Too many licenses wait to be checked'))
      })
      const waiting: Waiting = {
        from,
        queue,
        enter: () => {
          stopTimer()
          enter()
        }
      }
      queue.push(from, waiting)
    })
}
