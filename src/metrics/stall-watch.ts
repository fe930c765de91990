/** Reports what blocked the event loop: the kind of work and its size, never its content. */
import type { StallWatch } from '../domain/fairness/stall-watch.js'
import type { Cancel, Clock, Counters, Logger } from '../ports.js'

/** Milliseconds that the event loop may be blocked before it is reported: twice what one stretch of work may take at most. */
const STALL_MS = 500

/** Milliseconds between two checks. */
const LOOK_MS = 250

/** Label of a stall without a dominant known cause: several works together, the garbage collector, or another process. */
const OTHER = 'other'

interface Piece {
  readonly command: string
  readonly input: unknown
  readonly ms: number
}

interface RunningStallWatch extends StallWatch {
  /** Starts checking until it is stopped. Idempotent. */
  start(): void
  stop(): void
}

/** Creates a watch. It costs two clock readings per piece of work. */
export function createStallWatch({
  clock,
  logger,
  counters
}: {
  readonly clock: Clock
  readonly logger: Logger
  readonly counters: Counters
}): RunningStallWatch {
  let longest: Piece | null = null
  let lastBegun: string | null = null
  let lookedAtMs = 0
  let cancel: Cancel = () => undefined

  function begin(): void {
    longest = null
    lastBegun = null
    lookedAtMs = clock.monotonicMs()
    cancel = clock.after(LOOK_MS, look)
  }

  function look(): void {
    const stoodMs = clock.monotonicMs() - lookedAtMs - LOOK_MS
    if (stoodMs > STALL_MS) report(stoodMs)
    begin()
  }

  function report(stoodMs: number): void {
    const blamed = longest !== null && longest.ms > stoodMs / 2 ? longest : null
    const command = blamed?.command ?? OTHER
    counters.count({ name: 'event_loop_stall', command })
    const known = blamed === null ? { lastBegun, longest: longest?.command } : { tookMs: Math.round(blamed.ms), ...sizesOf(blamed.input) }
    logger.warn({ command, stoodMs: Math.round(stoodMs), ...known }, 'The event loop stood still')
  }

  return {
    during(command, input, work) {
      lastBegun = command
      const beganAtMs = clock.monotonicMs()
      try {
        return work()
      } finally {
        const ms = clock.monotonicMs() - beganAtMs
        if (longest === null || ms >= longest.ms) longest = { command, input, ms }
      }
    },
    start() {
      cancel()
      begin()
    },
    stop: () => cancel()
  }
}

/** Amount of data: characters of all texts, numbers, bytes of buffers, and items of all lists. */
interface Sizes {
  readonly characters: number
  readonly numbers: number
  readonly bytes: number
  readonly items: number
}

/** Measures plain data, at any depth. */
export function sizesOf(value: unknown): Sizes {
  const sizes = { characters: 0, numbers: 0, bytes: 0, items: 0 }
  const left: unknown[] = [value]
  for (let next = left.pop(); left.length > 0 || next !== undefined; next = left.pop()) {
    if (typeof next === 'string') sizes.characters += next.length
    else if (typeof next === 'number') sizes.numbers += 1
    else if (ArrayBuffer.isView(next)) sizes.bytes += next.byteLength
    else if (Array.isArray(next)) {
      sizes.items += next.length
      for (const item of next as unknown[]) left.push(item)
    } else if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) left.push(item)
  }
  return sizes
}
