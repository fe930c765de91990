/** Which memories answer which: the reverse of `Memory.replyTo`. */
import { LeanSet } from '../domain/collections/lean-map.js'
import { createPartedMap, deleteIn, getIn, type PartedMap, setIn } from '../domain/collections/parted-map.js'
import type { Memory } from '../domain/session.js'

/** Ids of the answers by id of the question. A question that was removed stays listed, so that it may return in any order. */
export type Exchanges = PartedMap<LeanSet<string>>

const NONE: readonly string[] = []

/** Creates an empty set of exchanges. */
export function createExchanges(): Exchanges {
  return createPartedMap()
}

export function addAnswer(exchanges: Exchanges, { id, replyTo }: Memory): void {
  for (const question of replyTo) {
    const known = getIn(exchanges, question)
    if (known === undefined) setIn(exchanges, question, new LeanSet<string>().add(id))
    else known.add(id)
  }
}

export function removeAnswer(exchanges: Exchanges, { id, replyTo }: Memory): void {
  for (const question of replyTo) {
    const known = getIn(exchanges, question)
    known?.delete(id)
    if (known?.size === 0) deleteIn(exchanges, question)
  }
}

/** Ids of the answers to a question, in no particular order. */
export function answersOf(exchanges: Exchanges, questionId: string): Iterable<string> {
  return getIn(exchanges, questionId) ?? NONE
}
