/** Asks many actors for one command, a few at a time, and yields to the event loop in between. */
import { type SliceClock, timeSlicesOf } from '../scheduling/time-slices.js'

/** Upper bound on concurrent asks: more would only queue in the storage's connection pool. */
const ASKS_MAX = 16

/**
 * Calls `ask` for each item. Resolves to the answers in the order of the items. Rejects with the first rejection once all asks under way
 * have settled. A further item is asked only when those under way wait for something outside of this process: work inside it would not
 * finish sooner, and would block the event loop for longer.
 */
export async function fanOut<Item, Answer>(
  items: Iterable<Item>,
  clock: SliceClock,
  ask: (item: Item) => Promise<Answer>
): Promise<Answer[]> {
  const asked: Promise<Answer>[] = []
  const underWay = new Set<Promise<unknown>>()
  const outcome = { hasFailed: false }
  const slices = timeSlicesOf(clock)
  for (const item of items) {
    if (slices.isUsedUp()) await slices.pause()
    if (outcome.hasFailed) break
    const answer = ask(item)
    const settled: Promise<unknown> = answer
      .catch(() => {
        outcome.hasFailed = true
      })
      .then(() => underWay.delete(settled))
    asked.push(answer)
    underWay.add(settled)
    if (underWay.size < ASKS_MAX) await slices.orNext(underWay)
    else await Promise.race(underWay)
  }
  await Promise.all(underWay)
  return Promise.all(asked)
}
