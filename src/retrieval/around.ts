/** The memories around one: its two neighbours in the session, and the other half of its exchange. */
import { answersOf } from './exchanges.js'
import { documentOf, type Held, type Holdings } from './holdings.js'

/** Visits each memory around one by document number, in no particular order; a neighbour that is also the other half is visited twice. */
export function visitAround(holdings: Holdings, document: number, visit: (other: number) => void): void {
  const { byId, byLabel, sequence, exchanges } = holdings
  const { previous, next } = sequence.links()
  const [before, after] = [previous[document] as number, next[document] as number]
  if (before >= 0) visit(before)
  if (after >= 0) visit(after)
  const held = byLabel.get(document) as Held
  if (!held.isExchanged) return
  const { id, replyTo } = held.entry.memory
  for (const halves of [replyTo, answersOf(exchanges, id)]) {
    for (const half of halves) {
      const other = byId.find(half)
      if (other !== undefined) visit(documentOf(other))
    }
  }
}
