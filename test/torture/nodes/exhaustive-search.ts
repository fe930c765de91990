/**
 * Linearizability by trying every order, for small histories: the reference for the specialised checkers. Method: Wing and Gong, Testing
 * and verifying concurrent objects (1993), remembering visited states as in Lowe, Testing for linearizability (2017).
 */
import { type Entry, precedes } from './history.js'

/** State of an object after a call, as text; null if the call cannot have had this result. */
export type Model = (state: string, call: Entry) => string | null

/** The memories of one session. */
export const appendModel: Model = (state, call) => {
  const held = state === '' ? [] : state.split(' ')
  if (call.kind === 'append') return [...held, ...call.tokens].join(' ')
  if (call.kind === 'list') return call.tokens.join(' ') === state ? state : null
  return null
}

/** One entity. */
export const registerModel: Model = (state, call) => {
  if (call.kind === 'put') return call.value
  if (call.kind === 'look') return (call.value ?? '') === state ? state : null
  return null
}

/** Whether the history is linearizable. Takes time exponential in the number of overlapping calls. */
export function isLinearizable(entries: readonly Entry[], model: Model): boolean {
  const calls = entries.filter(({ kind, outcome }) => outcome === 'ok' || (outcome === 'unknown' && (kind === 'append' || kind === 'put')))
  const tried = new Set<string>()
  const search = (left: readonly Entry[], state: string): boolean => {
    if (left.every(({ outcome }) => outcome === 'unknown')) return true
    const place = `${left.map((call) => calls.indexOf(call)).join(',')}|${state}`
    if (tried.has(place)) return false
    tried.add(place)
    return left.some((call) => {
      if (left.some((other) => precedes(other, call))) return false
      const next = model(state, call)
      return (
        next !== null &&
        search(
          left.filter((other) => other !== call),
          next
        )
      )
    })
  }
  return search(calls, '')
}
