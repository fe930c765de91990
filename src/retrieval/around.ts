/** The memories around one: those before and after it in its session, and the other half of its exchange. */
import { answersOf } from './exchanges.js'
import type { Held, Holdings } from './holdings.js'

export interface Around {
  /** Shown the one before and the one after, by document number; below 0 for none. */
  readonly beside: (document: number) => void
  /** Shown the other half, as far as it is held. */
  readonly half: (other: Held | undefined) => void
}

/** Shows each of them, in no order; one that stands beside it and answers it as well comes twice. */
export function lookAround({ byId, byLabel, sequence, exchanges }: Holdings, document: number, { beside, half }: Around): void {
  const { previous, next } = sequence.links()
  beside(previous[document] as number)
  beside(next[document] as number)
  const held = byLabel.get(document) as Held
  if (!held.isExchanged) return
  const { id, replyTo } = held.entry.memory
  for (const question of replyTo) half(byId.get(question))
  for (const answer of answersOf(exchanges, id)) half(byId.get(answer))
}
