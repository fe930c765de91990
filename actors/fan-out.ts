/** Asking many actors for one command: a few at a time, with turns of the event loop for everybody else. */
import type { Clock } from '../src/ports.js'

/** Asked at the same time: more would only wait for each other in the storage's pool. */
const ASKS_MAX = 16

/** Milliseconds of work between two turns of the event loop: others' runs wait no longer than 10 ms, and one answer may take a few itself. */
const STRETCH_MS = 4

/** What `ask` gives for each item, in order. Rejects with the first rejection, once those under way have settled. */
export async function fanOut<Item, Answer>(
  items: readonly Item[],
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  const waiting = items.entries()
  const pause = createPause(clock)
  let hasFailed = false
  const work = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      if (hasFailed) return
      try {
        answers[at] = await ask(item)
      } catch (error) {
        hasFailed = true
        throw error
      }
      await pause()
    }
  }
  const workers = Array.from({ length: Math.min(ASKS_MAX, items.length) }, work)
  await Promise.allSettled(workers)
  await Promise.all(workers)
  return answers
}

/** Gives the event loop a turn when it is time. Answers within one process come by promises alone, which let nothing else in between. */
function createPause(clock: Pick<Clock, 'monotonicMs' | 'after'>): () => Promise<void> {
  let startedAtMs = clock.monotonicMs()
  let turn: Promise<void> | null = null
  return () => {
    if (clock.monotonicMs() - startedAtMs < STRETCH_MS) return Promise.resolve()
    turn ??= new Promise((resolve) => {
      clock.after(0, () => {
        turn = null
        startedAtMs = clock.monotonicMs()
        resolve()
      })
    })
    return turn
  }
}
