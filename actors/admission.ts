/** The node's door: how much work is inside, and whether more may come in. One for all catalogs of a node. */
import { DomainError } from '../src/domain/errors.js'

export interface Admission {
  readonly inFlight: number
  /**
   * Null when the work may come in (and then counts until `leave`), else why not. Work that is part of other work inside always
   * may: refused, it could only make that one fail, or keep a draining node from finishing it.
   */
  enter(isInner: boolean): DomainError | null
  leave(): void
  /** From now on nothing comes in. */
  close(): void
  /** Calls `listener` once nothing is inside; at once when nothing is. */
  whenIdle(listener: () => void): void
}

export function createAdmission(options: { inFlightMax: number }): Admission {
  let inFlight = 0
  let isClosed = false
  let listeners: (() => void)[] = []

  const callIdle = () => {
    if (inFlight > 0) return
    const called = listeners
    listeners = []
    for (const listener of called) listener()
  }

  return {
    get inFlight() {
      return inFlight
    },
    enter(isInner) {
      if (isInner) {
        inFlight += 1
        return null
      }
      if (isClosed) return new DomainError('draining', 'This node is shutting down')
      if (inFlight >= options.inFlightMax) return new DomainError('busy', 'Too many operations are in progress')
      inFlight += 1
      return null
    },
    leave() {
      inFlight -= 1
      callIdle()
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
