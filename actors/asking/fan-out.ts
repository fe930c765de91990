/** Asking many actors for one command: a few at a time, with iterations of the event loop for everybody else. */
import { type SliceClock, timeSlicesOf } from '../scheduling/time-slices.js'

/** Asked at the same time: more would only wait for each other in the storage's pool. */
const ASKS_MAX = 16

/**
 * What `ask` gives for each item, in order. Rejects with the first rejection, once those under way have settled. Another item is asked
 * beside those under way only once these wait for something outside of this process. Work in this process would be done no sooner for
 * being asked for earlier, and all of it would be one long stretch.
 */
export async function fanOut<Item, Answer>(
  items: readonly Item[],
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
