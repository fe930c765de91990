/** Which memories answer which: the reverse of `Memory.replyTo`. */
import { LeanMap, LeanSet } from '../domain/collections/lean-map.js'
import type { Memory } from '../domain/session.js'

/** Ids of the answers by id of the question. A question that was removed stays listed, so that it may return in any order. */
export type Exchanges = LeanMap<string, LeanSet<string>>

const NONE: readonly string[] = []

/** Creates an empty set of exchanges. */
export function createExchanges(): Exchanges {
  return new LeanMap()
}

export function addAnswer(exchanges: Exchanges, { id, replyTo }: Memory): void {
  for (const question of replyTo) {
    const known = exchanges.get(question)
    if (known === undefined) exchanges.set(question, new LeanSet<string>().add(id))
    else known.add(id)
  }
}

export function removeAnswer(exchanges: Exchanges, { id, replyTo }: Memory): void {
  for (const question of replyTo) {
    const known = exchanges.get(question)
    known?.delete(id)
    if (known?.size === 0) exchanges.delete(question)
  }
}

/** Ids of the answers to a question, in no particular order. */
export function answersOf(exchanges: Exchanges, questionId: string): Iterable<string> {
  return exchanges.get(questionId) ?? NONE
}
