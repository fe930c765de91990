/**
 * Reports uncaught errors and unhandled rejections to the running test. Tap itself traces every promise and timer to the test that began
 * it, by asynchronous hooks, which take a third of the processor time of a simulation. Here one test runs at a time, and that one fails.
 */
import type { EventEmitter } from 'node:events'
import process from 'node:process'

type Origin = 'uncaughtException' | 'unhandledRejection'
type Hear = (error: unknown, origin: Origin) => void

/** The part used here of tap's root test or of one of its subtests. */
export interface Running {
  /** Receives errors from outside the test's own promise. */
  readonly hookDomain: Domain
  /** More than one only if a test runs subtests concurrently; undefined for a test that reads another process. */
  readonly activeSubtests?: ReadonlySet<Running>
}

/** Replaces tap's `async-hook-domain` and traces nothing. */
export class Domain {
  constructor(readonly onerror: Hear) {}

  destroy(): void {
    // Nothing is held.
  }
}

/** Reports stray errors from now on. Call it once per process, with tap's root test. */
export function tellStrayErrors(first: Running, program: Pick<EventEmitter, 'on' | 'listenerCount'> = process): void {
  program.on('uncaughtException', (error: unknown, origin: Origin) => {
    // A test with a listener of its own handles the error.
    if (program.listenerCount('uncaughtException') > 1) return
    innermost(first).hookDomain.onerror(error, origin)
  })
}

function innermost(test: Running): Running {
  const running = [...(test.activeSubtests ?? [])].at(-1)
  return running === undefined ? test : innermost(running)
}
