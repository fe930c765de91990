/** The memories around one: its two neighbours in the session, and the other half of its exchange. */
import { answersOf } from './exchanges.js'
import type { Held, Holdings } from './holdings.js'

export interface Around {
  /** Called for the previous and for the next memory, by document number; below 0 for none. */
  readonly beside: (document: number) => void
  /** Called for each memory that it answers or that answers it; undefined for one that is not held. */
  readonly half: (other: Held | undefined) => void
}

/** Visits each memory around one, in no particular order; a neighbour that is also the other half is visited twice. */
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
