/** What happened in a simulation, told in lines, and as one number that any difference changes. */
import type { Scheduler } from './scheduler.js'

export interface Story {
  /** One line for a reader: who, and what. */
  tell(who: string, what: string): void
  /** Counts for the fingerprint only. */
  note(what: string): void
  /** Lines in their order. */
  readonly lines: readonly string[]
  /** Over all that was told and noted, and when. */
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
