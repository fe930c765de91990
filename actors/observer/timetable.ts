/** Timetable of the next samples of observers that were active on this node. */
import { type Address, addressKey } from '../../src/domain/address.js'

export interface Timetable {
  /** Schedules the observer's next sample `intervalS` after `from`, in epoch seconds. */
  note(address: Address, from: number, intervalS: number): void
  /** Drops an observer: another node takes its samples. */
  forget(address: Address): void
  /** Returns the observers whose sample is due at `now`, and schedules the next one an interval later, also after a failed sample. */
  due(now: number): Address[]
}

interface Entry {
  readonly address: Address
  readonly intervalS: number
  nextAt: number
}

/** Creates a timetable. Passivated observers stay on it: their next sample activates them, here or on their owner. */
export function createTimetable(): Timetable {
  const entries = new Map<string, Entry>()
  return {
    note(address, from, intervalS) {
      entries.set(addressKey(address), { address, intervalS, nextAt: from + intervalS })
    },
    forget: (address) => void entries.delete(addressKey(address)),
    due(now) {
      const due: Address[] = []
      for (const entry of entries.values()) {
        // More than an interval ahead: the clock was set back, and the sample counts as due.
        if (now < entry.nextAt && entry.nextAt <= now + entry.intervalS) continue
        entry.nextAt = now + entry.intervalS
        due.push(entry.address)
      }
      return due
    }
  }
}
