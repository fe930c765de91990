/** Asking many actors for one command: a few at a time, with turns of the event loop for everybody else. */
import type { Cancel, Clock } from '../src/ports.js'

/** Asked at the same time: more would only wait for each other in the storage's pool. */
const ASKS_MAX = 16

/** Milliseconds of work between two turns of the event loop: others' runs wait no longer than 10 ms, and one answer may take a few itself. */
const STRETCH_MS = 4

/**
 * What `ask` gives for each item, in order. Rejects with the first rejection, once those under way have settled. One more is asked
 * while others are under way only when they wait for something outside: answers that come of work in this process would come no
 * sooner, and all of that work would be one stretch.
 */
export async function fanOut<Item, Answer>(
  items: readonly Item[],
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const asked: Promise<Answer>[] = []
  const underWay = new Set<Promise<unknown>>()
  const outcome = { hasFailed: false }
  const turns = createTurns(clock)
  for (const item of items) {
    const answer = ask(item)
    const settled: Promise<unknown> = answer
      .catch(() => {
        outcome.hasFailed = true
      })
      .then(() => underWay.delete(settled))
    asked.push(answer)
    underWay.add(settled)
    if (underWay.size < ASKS_MAX) await turns.orNext(underWay)
    else await Promise.race(underWay)
    if (outcome.hasFailed) break
    await turns.pause()
  }
  await Promise.all(underWay)
  return Promise.all(asked)
}

function createTurns(clock: Pick<Clock, 'monotonicMs' | 'after'>) {
  let beganAtMs = clock.monotonicMs()
  /** Resolves in the event loop's next turn. */
  function next(): { readonly begun: Promise<void>; readonly cancel: Cancel } {
    let cancel: Cancel = () => undefined
    const begun = new Promise<void>((resolve) => {
      cancel = clock.after(0, () => {
        beganAtMs = clock.monotonicMs()
        resolve()
      })
    })
    return { begun, cancel }
  }
  return {
    /** Gives the event loop a turn when it is time. Answers within one process come by promises alone, which let nothing else in between. */
    async pause(): Promise<void> {
      if (clock.monotonicMs() - beganAtMs >= STRETCH_MS) await next().begun
    },
    /** Resolves with the first of them, or at the next turn. */
    async orNext(others: Iterable<Promise<unknown>>): Promise<void> {
      const { begun, cancel } = next()
      await Promise.race([begun, ...others])
      cancel()
    },
  }
}
