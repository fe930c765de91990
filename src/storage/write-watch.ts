/** Watches whether a storage takes writes: a disk may be full, or a server read-only, while reads still work. */
import type { Logger } from '../ports.js'

interface WriteWatch {
  /** Notes a failed write, with its code for the log. */
  failed(code: string): void
  /** Checks that the storage answers and, after a failed write, that it takes one again. Throws what the check does. */
  check(): Promise<void>
}

interface WriteWatchOptions {
  readonly logger: Pick<Logger, 'warn' | 'info'>
  /** Resolves when the storage answers. */
  readonly reading: () => Promise<void>
  /** Resolves when the storage has taken a write. */
  readonly writing: () => Promise<void>
}

/** Logs the first of several failures, and the first success after them. */
export function createWriteWatch({ logger, reading, writing }: WriteWatchOptions): WriteWatch {
  /** Failed writes since the last one known to succeed. */
  let failures = 0
  return {
    failed(code) {
      if (failures === 0) logger.warn({ code }, 'The database does not take writes')
      failures += 1
    },
    async check() {
      const known = failures
      if (known === 0) return reading()
      await writing()
      // Another write may have failed meanwhile.
      if (failures !== known) return
      failures = 0
      logger.info({}, 'The database takes writes again')
    }
  }
}
