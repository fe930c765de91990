/** The node's door: how much work is inside, and in which order more comes in. One for all catalogs of a node. */
import { DomainError } from '../../src/domain/errors.js'
import type { Cancel, Clock } from '../../src/ports.js'
import { createSemaphore, type Entrant } from './semaphore.js'

/**
 * Asks for actors of this node, and those on their way to another one. A holder of a permit as the latter may wait for one of the former,
 * never the other way round.
 */
export type Door = 'actors' | 'forwards'

export interface Asker extends Entrant {
  /**
   * Work that is part of other work inside comes in at once, and is not counted against any limit: it would wait for a permit that its own
   * caller holds, and a refusal could only make that one fail, or keep a draining node from finishing it.
   */
  readonly isInner: boolean
}

export interface Admission {
  /** What has come in and not left, through any door. */
  readonly inFlight: number
  /** What waits at the doors. */
  readonly waiting: number
  /** Lets it in now, or in its subject's turn, or refuses it: `busy`, `draining`, `deadline_passed`. */
  enter(door: Door, asker: Asker): void
  /** From now on nothing new comes in; what waits still does. */
  close(): void
  /** Calls `listener` once nothing is inside or waits; at once when nothing does. */
  whenIdle(listener: () => void): void
}

export interface AdmissionOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** Operations at a time through one door. */
  readonly inFlightMax: number
  /** Those of one subject. Default: all. */
  readonly subjectMax?: number
}

export function createAdmission(options: AdmissionOptions): Admission {
  const newDoor = () => createSemaphore({ full: 'Too many operations are in progress', ...options, permitsMax: options.inFlightMax })
  const doors = { actors: newDoor(), forwards: newDoor() }
  let inFlight = 0
  let isClosed = false
  let listeners: (() => void)[] = []

  /** While anything waits, somebody is inside. */
  const callIdle = () => {
    if (inFlight > 0) return
    const called = listeners
    listeners = []
    for (const listener of called) listener()
  }
  /** Counted until its `leave`. */
  const counted = ({ entered, ...asker }: Entrant): Entrant => ({
    entered(releasePermit) {
      inFlight += 1
      let leave: Cancel = () => {
        leave = () => undefined
        releasePermit()
        inFlight -= 1
        callIdle()
      }
      entered(() => leave())
    },
    ...asker
  })

  return {
    get inFlight() {
      return inFlight
    },
    get waiting() {
      return doors.actors.waiting + doors.forwards.waiting
    },
    enter(door, asker) {
      const entrant = counted(asker)
      if (asker.isInner) entrant.entered(() => undefined)
      else if (isClosed) asker.refused(new DomainError('draining', 'This node is shutting down'))
      else doors[door].enter(entrant)
    },
    close() {
      isClosed = true
    },
    whenIdle(listener) {
      listeners.push(listener)
      callIdle()
    }
  }
}
