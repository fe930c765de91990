/**
 * Counts rows that actors have released while an answer still refers to them: an answer that is not read to its end refers to rows as they
 * were when it began. Such bytes stay in memory, and count until the last lease that may refer to them ends.
 */
import { type Address, addressKey } from '../../src/domain/address.js'
import { plus, totalOf, type Weight } from '../../src/domain/fairness/weight.js'
import type { Cancel } from '../../src/ports.js'

interface Leases {
  /** Opens a lease: until it ends, everything the actor releases still counts. Returns the function that ends it, idempotent. */
  open(address: Address): Cancel
  isOpen(address: Address): boolean
  /** Notes that the actor has released `weight`. Calls `kept` if an open lease may still refer to it, and `freed` once none does. */
  letGo(address: Address, weight: Weight): void
}

interface ReleasedBytes {
  /** Leases with numbers up to this one may refer to these bytes. */
  readonly upTo: number
  weight: Weight
}

interface ActorLeases {
  /** Numbers of the open leases, ascending. */
  readonly open: Set<number>
  /** Ascending by `upTo`. */
  readonly left: ReleasedBytes[]
}

export function createLeases(options: {
  readonly kept: (address: Address, weight: Weight) => void
  readonly freed: (address: Address, weight: Weight) => void
}): Leases {
  const lines = new Map<string, ActorLeases>()
  let lastNumber = 0

  function end(address: Address, line: ActorLeases, number: number): void {
    if (!line.open.delete(number)) return
    const [oldest = Infinity] = line.open
    const stay = line.left.findIndex(({ upTo }) => upTo >= oldest)
    for (const { weight } of line.left.splice(0, stay === -1 ? line.left.length : stay)) options.freed(address, weight)
    if (line.open.size === 0) lines.delete(addressKey(address))
  }

  return {
    open(address) {
      const key = addressKey(address)
      const line = lines.get(key) ?? { open: new Set(), left: [] }
      lines.set(key, line)
      const number = (lastNumber += 1)
      line.open.add(number)
      return () => end(address, line, number)
    },
    isOpen: (address) => lines.has(addressKey(address)),
    letGo(address, weight) {
      const line = lines.size === 0 ? undefined : lines.get(addressKey(address))
      if (line === undefined || totalOf(weight) <= 0) return
      options.kept(address, weight)
      // Stryker disable next-line UnaryOperator: more entries would add up to the same
      const last = line.left.at(-1)
      // One sum is enough for everything released between two leases: it is freed at once.
      if (last?.upTo === lastNumber) last.weight = plus(last.weight, weight)
      else line.left.push({ upTo: lastNumber, weight })
    }
  }
}
