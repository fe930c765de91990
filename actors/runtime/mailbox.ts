/**
 * Bounded queue of commands in front of XState's own mailbox, which is synchronous and unbounded. Control commands (passivate, fence)
 * bypass it: they go to the machine at once, so that none is ever refused or delayed.
 */

export interface Perishable {
  /** Monotonic milliseconds from which the caller no longer waits. */
  readonly deadlineAtMs: number
}

export interface Mailbox<Item extends Perishable> {
  /** Number of items that have not run: those waiting, and those taken but not finished. */
  size(): number
  /** Appends an item if there is a place and its deadline has not passed. */
  offer(item: Item, nowMs: number): 'accepted' | 'full' | 'expired'
  /** Takes the oldest waiting item whose deadline has not passed. It keeps its place until `finish`. */
  take(nowMs: number): Item | undefined
  /** Frees the place of a taken item. */
  finish(): void
  /** Puts an item that has left back at the front. It may be one more than the capacity. */
  putBack(item: Item): void
  /** Puts taken items back at the front, in the given order. They kept their places, so there is room. */
  restore(items: readonly Item[]): void
}

/** Creates a first-in, first-out mailbox. `expire` gets each item whose deadline passes while it waits; such an item never runs. */
export function createMailbox<Item extends Perishable>(options: { capacity: number; expire: (item: Item) => void }): Mailbox<Item> {
  const { capacity, expire } = options
  let waiting: Item[] = []
  let taken = 0

  const dropExpired = (nowMs: number) => {
    const expired = waiting.filter((item) => item.deadlineAtMs <= nowMs)
    if (expired.length === 0) return
    waiting = waiting.filter((item) => item.deadlineAtMs > nowMs)
    expired.forEach(expire)
  }
  const skipExpired = (nowMs: number): void => {
    for (let head = waiting[0]; head !== undefined && head.deadlineAtMs <= nowMs; head = waiting[0]) {
      waiting.shift()
      expire(head)
    }
  }

  return {
    size: () => waiting.length + taken,
    offer(item, nowMs) {
      if (item.deadlineAtMs <= nowMs) return 'expired'
      if (waiting.length + taken >= capacity) dropExpired(nowMs)
      if (waiting.length + taken >= capacity) return 'full'
      waiting.push(item)
      return 'accepted'
    },
    take(nowMs) {
      skipExpired(nowMs)
      if (waiting.length > 0) taken += 1
      return waiting.shift()
    },
    finish() {
      taken -= 1
    },
    putBack: (item) => void waiting.unshift(item),
    restore(items) {
      taken -= items.length
      waiting = [...items, ...waiting]
    }
  }
}
