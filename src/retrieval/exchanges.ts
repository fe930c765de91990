/** Which memories answer which: the reverse of `Memory.replyTo`. */
import type { Memory } from '../domain/session.js'

export interface Exchanges {
  isEmpty(): boolean
  add(answer: Memory): void
  remove(answer: Memory): void
  clear(): void
  /** Ids of the answers to a question, in no order. */
  answersOf(questionId: string): Iterable<string>
}

const NONE: readonly string[] = []

/** No exchange yet. A question that is gone keeps its answers listed, so that it may come back in any order. */
export function createExchanges(): Exchanges {
  const answers = new Map<string, Set<string>>()

  function add({ id, replyTo }: Memory): void {
    for (const question of replyTo) {
      const known = answers.get(question)
      if (known === undefined) answers.set(question, new Set([id]))
      else known.add(id)
    }
  }

  function remove({ id, replyTo }: Memory): void {
    for (const question of replyTo) {
      const known = answers.get(question)
      known?.delete(id)
      if (known?.size === 0) answers.delete(question)
    }
  }

  return {
    isEmpty: () => answers.size === 0,
    add,
    remove,
    clear: () => answers.clear(),
    answersOf: (questionId) => answers.get(questionId) ?? NONE
  }
}
