/**
 * Semaphore with permits that are shared fairly by subjects. A subject has at most its own number of permits; its other entrants wait in a
 * bounded queue per subject. A free permit goes to the subject that has held permits for the shortest time.
 */
import { deadlinePassed, DomainError } from '../../src/domain/errors.js'
import { createFairQueue } from '../../src/domain/fairness/fair-queue.js'
import { SUBJECT_WAITING_BYTES_MAX, SUBJECT_WAITING_MAX, WAITING_BYTES_MAX, WAITING_MAX } from '../../src/domain/limits.js'
import type { Cancel, Clock } from '../../src/ports.js'

interface SemaphoreOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** Number of permits, from 1. */
  readonly permitsMax: number
  /** Permits of one subject, from 1. Default: all of them. */
  readonly subjectMax?: number
  /** Message of the refusal when there is no room to wait. Null: the queue is unbounded, as its entrants are bounded elsewhere. */
  readonly full: string | null
}

export interface Entrant {
  readonly subject: string
  /** Longest wait in milliseconds. */
  readonly deadlineMs: number
  /** Bytes that it holds while it waits. Called only when it has to wait. Default: none. */
  readonly bytes?: () => number
  /** Called with a permit, held until `leave` is called; `leave` is idempotent. Must not throw. */
  entered(leave: () => void): void
  /** Called with `busy` when there is no room to wait, or `deadline_passed` when it has waited too long. Must not throw. */
  refused(error: DomainError): void
}

export interface Semaphore {
  readonly waiting: number
  /** Calls `entered` or `refused`: at once if a permit is free or there is no room to wait. Returns a function that cancels the wait. */
  enter(entrant: Entrant): Cancel
}

interface Waiting {
  readonly entrant: Entrant
  readonly bytes: number
  readonly stopTimer: Cancel
}

interface Holding {
  permits: number
  /** Bytes of its waiting entrants. */
  bytes: number
}

const NOTHING_TO_CANCEL: Cancel = () => undefined

export function createSemaphore({ clock, permitsMax, subjectMax = permitsMax, full }: SemaphoreOptions): Semaphore {
  const queue = createFairQueue<Waiting>()
  const holdings = new Map<string, Holding>()
  let taken = 0
  let waitingBytes = 0

  function holdingOf(subject: string): Holding {
    const known = holdings.get(subject) ?? { permits: 0, bytes: 0 }
    holdings.set(subject, known)
    return known
  }
  function tidy(subject: string): void {
    if (holdings.get(subject)?.permits === 0 && queue.sizeOf(subject) === 0) holdings.delete(subject)
  }

  function give(entrant: Entrant): void {
    const { subject } = entrant
    const holding = holdingOf(subject)
    const sinceMs = clock.monotonicMs()
    taken += 1
    holding.permits += 1
    if (holding.permits === subjectMax) queue.pause(subject)
    let hasLeft = false
    entrant.entered(() => {
      if (hasLeft) return
      hasLeft = true
      taken -= 1
      holding.permits -= 1
      queue.charge(subject, clock.monotonicMs() - sinceMs)
      if (holding.permits === subjectMax - 1) queue.resume(subject)
      serve()
      tidy(subject)
    })
  }
  function serve(): void {
    while (taken < permitsMax) {
      const next = queue.take()
      if (next === undefined) return
      forget(next)
      give(next.entrant)
    }
  }
  /** Undoes the bookkeeping of an entrant that has left the queue. */
  function forget({ entrant: { subject }, bytes, stopTimer }: Waiting): void {
    stopTimer()
    waitingBytes -= bytes
    holdingOf(subject).bytes -= bytes
  }
  /** Whether an entrant may wait: within its subject's bounds, and within the total bounds unless its subject is below its equal share. */
  function hasRoom(subject: string, bytes: number): boolean {
    const own = { items: queue.sizeOf(subject), bytes: holdings.get(subject)?.bytes ?? 0 }
    if (own.items >= SUBJECT_WAITING_MAX || (own.items > 0 && own.bytes + bytes > SUBJECT_WAITING_BYTES_MAX)) return false
    if (queue.size() < WAITING_MAX && waitingBytes + bytes <= WAITING_BYTES_MAX) return true
    const shares = Math.max(1, queue.subjects())
    return own.items < WAITING_MAX / shares && own.bytes + bytes <= WAITING_BYTES_MAX / shares
  }
  function wait(entrant: Entrant): Cancel {
    const { subject, deadlineMs } = entrant
    const bytes = entrant.bytes?.() ?? 0
    if (full !== null && !hasRoom(subject, bytes)) {
      entrant.refused(new DomainError('busy', full))
      return NOTHING_TO_CANCEL
    }
    const giveUp = (): boolean => {
      if (!queue.remove(subject, waiting)) return false
      forget(waiting)
      tidy(subject)
      return true
    }
    const stopTimer = clock.after(deadlineMs, () => {
      if (giveUp()) entrant.refused(deadlinePassed())
    })
    const waiting: Waiting = { entrant, bytes, stopTimer }
    waitingBytes += bytes
    holdingOf(subject).bytes += bytes
    queue.push(subject, waiting)
    return giveUp
  }

  return {
    get waiting() {
      return queue.size()
    },
    enter(entrant) {
      const permits = holdings.get(entrant.subject)?.permits ?? 0
      if (taken >= permitsMax || permits >= subjectMax) return wait(entrant)
      give(entrant)
      return NOTHING_TO_CANCEL
    }
  }
}

/** Resolves to the function that releases the permit. Rejects when the entrant is refused. */
export function acquirePermit(semaphore: Semaphore, entrant: Pick<Entrant, 'subject' | 'deadlineMs' | 'bytes'>): Promise<() => void> {
  return new Promise((entered, refused) => void semaphore.enter({ entered, refused, ...entrant }))
}
