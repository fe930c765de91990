/**
 * Whether calls to a session that is made, deleted and made again can have happened one after the other, each at a moment between its
 * invocation and its end. Every order is tried, with the memory of Lowe, Testing for linearizability (2017): for a few dozen calls.
 */
import type { Interval } from '../torture/nodes/history.js'

export interface LifeCall {
  readonly kind: 'create' | 'delete' | 'append' | 'check'
  /** What is appended, or was read. */
  readonly tokens: readonly (string | null)[]
}

/** `there`, `missing`: refused for what the session was. `unknown`: it may have been done, at any time. */
export type LifeOutcome = 'ok' | 'there' | 'missing' | 'unknown'

export type LifeEntry = LifeCall & Interval & { readonly outcome: LifeOutcome }

/** Null: there is none. */
type Life = string | null

/** As it is afterwards; undefined: it cannot have gone that way. */
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

/** Whether the history, of a session that is not there at first, is linearizable. */
export function isLivable(entries: readonly LifeEntry[]): boolean {
  const calls = entries.filter(({ kind, outcome }) => outcome !== 'unknown' || kind !== 'check')
  const ends = calls.map(({ outcome, ended }) => (outcome === 'unknown' ? Infinity : ended))
  const tried = new Set<string>()

  const search = (left: readonly number[], life: Life): boolean => {
    if (left.every((at) => calls[at]?.outcome === 'unknown')) return true
    const place = `${left.join()}|${String(life)}`
    if (tried.has(place)) return false
    tried.add(place)
    // What was over before another one began comes before it.
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
