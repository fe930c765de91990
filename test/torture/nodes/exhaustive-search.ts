/**
 * Linearizability by trying every order: the referee of the checkers that know better, for small histories. Method: Wing and Gong,
 * Testing and verifying concurrent objects (1993), with the memory of Lowe, Testing for linearizability (2017).
 */
import { type Entry, precedes } from './history.js'

/** An object as it is after some calls, as text; null: the call cannot have gone that way. */
export type Model = (state: string, call: Entry) => string | null

/** Memories of one session. */
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

/** Exponential in the number of calls that overlap. */
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
