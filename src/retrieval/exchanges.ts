/** Which memories answer which: the reverse of `Memory.replyTo`. */
import { LeanMap, LeanSet } from '../domain/lean-map.js'
import type { Memory } from '../domain/session.js'

/** The answers by question. One that is gone keeps its answers listed, so that it may come back in any order. */
export type Exchanges = LeanMap<string, LeanSet<string>>

const NONE: readonly string[] = []

/** No exchange yet. */
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

/** Ids of the answers to a question, in no order. */
export function answersOf(exchanges: Exchanges, questionId: string): Iterable<string> {
  return exchanges.get(questionId) ?? NONE
}
