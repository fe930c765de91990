/**
 * What actors have let go of while somebody still reads it: an answer that is not read to its end refers to rows as they were when it
 * began. Such bytes are as much there as before, and are given back when the last one who may refer to them is done.
 */
import { type Address, addressKey } from '../../src/domain/address.js'
import { plus, totalOf, type Weight } from '../../src/domain/weight.js'
import type { Cancel } from '../../src/ports.js'

export interface Leases {
  /** From now on what the actor lets go of is kept, until the lease ends. Ending it twice is fine. */
  open(address: Address): Cancel
  isOpen(address: Address): boolean
  /** The actor has let go of so much. `kept` is told when somebody may still read it, and `freed` once nobody does. */
  letGo(address: Address, weight: Weight): void
}

interface Left {
  /** Leases up to this number may refer to it. */
  readonly upTo: number
  weight: Weight
}

interface Line {
  /** Numbers of the leases that are open, ascending. */
  readonly open: Set<number>
  /** Ascending by `upTo`. */
  readonly left: Left[]
}

export function createLeases(options: {
  readonly kept: (address: Address, weight: Weight) => void
  readonly freed: (address: Address, weight: Weight) => void
}): Leases {
  const lines = new Map<string, Line>()
  let lastNumber = 0

  function end(address: Address, line: Line, number: number): void {
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
      // Stryker disable next-line UnaryOperator: more sums would come to the same
      const last = line.left.at(-1)
      // Of what was let go between two leases one sum is enough.
      if (last?.upTo === lastNumber) last.weight = plus(last.weight, weight)
      else line.left.push({ upTo: lastNumber, weight })
    }
  }
}
