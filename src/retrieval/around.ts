/** The memories around one: those before and after it in its session, and the other half of its exchange. */
import { documentOf, type Held, type Holdings } from './holdings.js'

/** Shows each of them, in no order; one that stands beside it and answers it as well comes twice. */
export function lookAround({ byId, byLabel, sequence, exchanges }: Holdings, held: Held, look: (other: Held | undefined) => void): void {
  const document = documentOf(held)
  const { id, replyTo } = held.entry.memory
  look(byLabel.get(sequence.previous(document)))
  look(byLabel.get(sequence.next(document)))
  for (const question of replyTo) look(byId.get(question))
  for (const answer of exchanges.answersOf(id)) look(byId.get(answer))
}
