/** Queue for a fixed number of places. Known callers come first, the others by remote address in turn, and every wait is bounded. */
import { DomainError } from '../domain/errors.js'
import { createFairQueue, type FairQueue } from '../domain/fairness/fair-queue.js'
import type { Cancel, Clock } from '../ports.js'

interface TurnsOptions {
  readonly clock: Pick<Clock, 'after'>
  readonly placesMax: number
  readonly waitMsMax: number
}

export interface Turn {
  /** Remote address. Callers of one address queue behind each other and alternate with those of other addresses. */
  readonly from: string
  /** Whether it takes precedence over all callers that are not known. */
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

  function leave(): void {
    taken -= 1
    const next = known.take() ?? others.take()
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
