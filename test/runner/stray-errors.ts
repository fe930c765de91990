/**
 * Errors that nobody waits for, told to the test that runs. Tap itself follows every promise and timer back to the test that began it, by
 * asynchronous hooks: they take a third of the processor time of a simulation. Here one test runs at a time, and that one fails.
 */
import type { EventEmitter } from 'node:events'
import process from 'node:process'

type Origin = 'uncaughtException' | 'unhandledRejection'
type Hear = (error: unknown, origin: Origin) => void

/** Of the test that tap hands out first, or of one inside of it. */
export interface Running {
  /** Hears what went wrong outside of the test's own promise. */
  readonly hookDomain: Domain
  /** More than one only where a test asked for that; a process that a test reads has none. */
  readonly activeSubtests?: ReadonlySet<Running>
}

/** In the place of what tap imports as `async-hook-domain`: follows nothing. */
export class Domain {
  constructor(readonly onerror: Hear) {}

  destroy(): void {
    // Nothing is held.
  }
}

/** Called once in a process, with the first test of it. */
export function tellStrayErrors(first: Running, program: Pick<EventEmitter, 'on' | 'listenerCount'> = process): void {
  program.on('uncaughtException', (error: unknown, origin: Origin) => {
    // A test that listens itself decides what becomes of it.
    if (program.listenerCount('uncaughtException') > 1) return
    innermost(first).hookDomain.onerror(error, origin)
  })
}

function innermost(test: Running): Running {
  const running = [...(test.activeSubtests ?? [])].at(-1)
  return running === undefined ? test : innermost(running)
}
