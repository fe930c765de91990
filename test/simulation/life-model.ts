/**
 * Linearizability check for a session that is created, deleted and created again: whether the calls can have happened one after the other,
 * each at a moment between its invocation and its end. Tries every order, remembering visited states as in Lowe, Testing for
 * linearizability (2017). Fit for a few dozen calls.
 */
import type { Interval } from '../torture/nodes/history.js'

export interface LifeCall {
  readonly kind: 'create' | 'delete' | 'append' | 'check'
  /** The tokens appended, or read. */
  readonly tokens: readonly (string | null)[]
}

/** `there`, `missing`: refused because the session existed, or did not. `unknown`: may have been done at any time, or not at all. */
export type LifeOutcome = 'ok' | 'there' | 'missing' | 'unknown'

export type LifeEntry = LifeCall & Interval & { readonly outcome: LifeOutcome }

/** Content of the session; null while it does not exist. */
type Life = string | null

/** The session after the call; undefined if the call cannot have had this outcome. */
function after(life: Life, { kind, tokens, outcome }: LifeEntry): Life | undefined {
  if (outcome === 'missing') return life === null && kind !== 'create' ? life : undefined
  if (outcome === 'there') return life !== null && kind === 'create' ? life : undefined
  switch (kind) {
    case 'create':
      return life === null ? '' : undefined
    case 'delete':
      return life === null ? undefined : null
    case 'append':
      return life === null ? undefined : `${life} ${tokens.join(' ')}`
    case 'check':
      return life === tokens.map((token) => ` ${String(token)}`).join('') ? life : undefined
  }
}

/** Whether the history of a session that does not exist at first is linearizable. */
export function isLivable(entries: readonly LifeEntry[]): boolean {
  const calls = entries.filter(({ kind, outcome }) => outcome !== 'unknown' || kind !== 'check')
  const ends = calls.map(({ outcome, ended }) => (outcome === 'unknown' ? Infinity : ended))
  const tried = new Set<string>()

  const search = (left: readonly number[], life: Life): boolean => {
    if (left.every((at) => calls[at]?.outcome === 'unknown')) return true
    const place = `${left.join()}|${String(life)}`
    if (tried.has(place)) return false
    tried.add(place)
    // A call that ended before another one began must come before it.
    const earliestEnd = Math.min(...left.map((at) => ends[at] ?? Infinity))
    return left.some((at) => {
      const call = calls[at]
      if (call === undefined || call.invoked > earliestEnd) return false
      const next = after(life, call)
      return (
        next !== undefined &&
        search(
          left.filter((other) => other !== at),
          next
        )
      )
    })
  }
  return search([...calls.keys()], null)
}
