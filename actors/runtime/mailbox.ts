/**
 * A bounded queue in front of XState's own mailbox, which is synchronous and unbounded.
 * Control commands (passivate, fence) do not pass here: they go to the machine at once, so none is ever refused or kept waiting.
 */

export interface Perishable {
  /** Monotonic milliseconds from which nobody waits for the answer any more. */
  readonly deadlineAtMs: number
}

export interface Mailbox<Item extends Perishable> {
  /** Items that have not run: waiting, and taken but not finished. */
  size(): number
  /** Whether the item got a place; `full` and `expired` leave everything as it was. */
  offer(item: Item, nowMs: number): 'accepted' | 'full' | 'expired'
  /** The oldest waiting item that is not past its deadline. It keeps its place until `finish`. */
  take(nowMs: number): Item | undefined
  /** The oldest waiting item that is not past its deadline, left where it is. */
  peek(nowMs: number): Item | undefined
  /** Frees the place of an item that was taken. */
  finish(): void
  /** Puts taken items back before all others, in the order given. They had places, so there is room. */
  restore(items: readonly Item[]): void
}

/** First in, first out. `expire` gets each item whose deadline passed while it waited; it never runs. */
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
  const skipExpired = (nowMs: number) => {
    for (let head = waiting[0]; head !== undefined && head.deadlineAtMs <= nowMs; head = waiting[0]) {
      waiting.shift()
      expire(head)
    }
    return waiting[0]
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
      const head = skipExpired(nowMs)
      if (head === undefined) return undefined
      taken += 1
      return waiting.shift()
    },
    peek: skipExpired,
    finish() {
      taken -= 1
    },
    restore(items) {
      taken -= items.length
      waiting = [...items, ...waiting]
    }
  }
}
