/** Checks a history of sessions for linearizability: each call takes effect at one moment between its invocation and its end. */
import { checkAppends, type Defect } from './append-model.js'
import type { Entry } from './history.js'
import { checkRegister } from './register-model.js'
import type { Violation } from './violation.js'

/**
 * Checks each session separately: its memories as an object that is appended to and read as a whole, and each of its entities as a
 * register. A history is linearizable if that of every object is (locality: Herlihy and Wing, 1990).
 */
export function checkHistory(entries: readonly Entry[]): Violation[] {
  const sessions = [...groupBy(entries, ({ session }) => session)]
  return sessions.flatMap(([session, own]) => checkSession(own).map((defect) => ({ ...defect, session })))
}

function checkSession(entries: readonly Entry[]): Defect[] {
  const missing = entries.filter(({ outcome }) => outcome === 'missing')
  const gone = missing.map(({ invoked }): Defect => ({ sort: 'lost', detail: `the session is missing at ${invoked}` }))
  const memories = entries.filter(({ kind }) => kind === 'append' || kind === 'list')
  const entities = entries.filter((entry) => entry.kind === 'put' || entry.kind === 'look')
  const registers = [...groupBy(entities, ({ key }) => key).values()]
  return [...gone, ...checkAppends(memories), ...registers.flatMap(checkRegister)]
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
