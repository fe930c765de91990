/** The memories around one: those before and after it in its session, and the other half of its exchange. */
import { answersOf } from './exchanges.js'
import { documentOf, type Held, type Holdings } from './holdings.js'

export interface Around {
  /** Shown the one before and the one after, by document number; below 0 for none. */
  readonly beside: (document: number) => void
  /** Shown the other half, as far as it is held. */
  readonly half: (other: Held | undefined) => void
}

/** Shows each of them, in no order; one that stands beside it and answers it as well comes twice. */
export function lookAround({ byId, sequence, exchanges }: Holdings, held: Held, { beside, half }: Around): void {
  const document = documentOf(held)
  const { id, replyTo } = held.entry.memory
  const { previous, next } = sequence.links()
  beside(previous[document] as number)
  beside(next[document] as number)
  for (const question of replyTo) half(byId.get(question))
  if (exchanges.size > 0) for (const answer of answersOf(exchanges, id)) half(byId.get(answer))
}
