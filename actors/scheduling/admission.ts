/** Admission control of a node: bounds the operations in flight, and orders those that wait. One for all catalogs of a node. */
import { DomainError } from '../../src/domain/errors.js'
import type { Cancel, Clock } from '../../src/ports.js'
import { createSemaphore, type Entrant } from './semaphore.js'

/**
 * Door that an operation enters by, with its own permits: asks for actors of this node, or asks forwarded to another node. The holder of a
 * `forwards` permit may wait for an `actors` permit, never the other way round.
 */
export type Door = 'actors' | 'forwards'

interface Asker extends Entrant {
  /**
   * True for work that is part of admitted work. It enters at once and counts against no limit: otherwise it would wait for a permit that
   * its own caller holds, and a refusal would make that caller fail, or keep a draining node from finishing.
   */
  readonly isInner: boolean
}

export interface Admission {
  /** Number of operations inside, through any door. */
  readonly inFlight: number
  /** Number of operations that wait at the doors. */
  readonly waiting: number
  /** Admits the operation at once or in its subject's turn, or refuses it with `busy`, `draining` or `deadline_passed`. */
  enter(door: Door, asker: Asker): void
  /** Refuses new operations from now on. Those that wait are still admitted. */
  close(): void
  /** Calls `listener` once no operation is inside or waits, at once if there is none. */
  whenIdle(listener: () => void): void
}

interface AdmissionOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'after'>
  /** Permits of one door. */
  readonly inFlightMax: number
  /** Permits of one subject at one door. Default: all. */
  readonly subjectMax?: number
}

export function createAdmission(options: AdmissionOptions): Admission {
  const newDoor = () => createSemaphore({ full: 'Too many operations are in progress', ...options, permitsMax: options.inFlightMax })
  const doors = { actors: newDoor(), forwards: newDoor() }
  let inFlight = 0
  let isClosed = false
  let listeners: (() => void)[] = []

  /** Checking `inFlight` is enough: operations wait only while others are inside. */
  const callIdle = () => {
    if (inFlight > 0) return
    const called = listeners
    listeners = []
    for (const listener of called) listener()
  }
  /** Counts the entrant in `inFlight` until its `leave`. */
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
