/** Log of a simulation for readers, and a fingerprint of everything that happened. */
import type { Scheduler } from './scheduler.js'

export interface Story {
  /** Adds a line for readers. */
  tell(who: string, what: string): void
  /** Adds to the fingerprint only. */
  note(what: string): void
  readonly lines: readonly string[]
  /** Hash over everything told and noted, and when, with the number of steps. */
  fingerprint(): string
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo). */
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

export function createStory(scheduler: Pick<Scheduler, 'nowMs' | 'steps'>): Story {
  const lines: string[] = []
  let hash = FNV_OFFSET

  function note(what: string): void {
    const whole = `${String(scheduler.nowMs)} ${what}`
    for (let at = 0; at < whole.length; at++) hash = Math.imul(hash ^ whole.charCodeAt(at), FNV_PRIME)
  }
  return {
    lines,
    note,
    tell(who, what) {
      note(what)
      lines.push(`${(scheduler.nowMs / 1000).toFixed(3).padStart(8)} s  ${who.padEnd(5)} ${what}`)
    },
    fingerprint: () => `${String(scheduler.steps)}-${(hash >>> 0).toString(16)}`
  }
}
