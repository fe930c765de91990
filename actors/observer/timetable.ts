/** When the observers that this node has seen want to take their next sample. */
import { type Address, addressKey } from '../../src/domain/address.js'

export interface Timetable {
  /** The observer's next sample: `intervalS` after `from`, epoch seconds. */
  note(address: Address, from: number, intervalS: number): void
  /** Another node takes its samples. */
  forget(address: Address): void
  /** Observers whose sample is due at `now`, each of them with its next one an interval later: a failed sample waits for its turn. */
  due(now: number): Address[]
}

interface Entry {
  readonly address: Address
  readonly intervalS: number
  nextAt: number
}

/** An observer stays on it when it is put away: its next sample brings it back, here or at its owner. */
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
        // Further away than an interval only when the clock was set back.
        if (now < entry.nextAt && entry.nextAt <= now + entry.intervalS) continue
        entry.nextAt = now + entry.intervalS
        due.push(entry.address)
      }
      return due
    }
  }
}
