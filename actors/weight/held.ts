/** What is held of a node's memory, by kind and by subject. */
import type { Allowance } from '../../src/domain/allowances.js'
import { plus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { WorkKind } from './holds.js'
import type { Holder } from './victims.js'

/**
 * What bytes are counted under: actors of a kind, what commands under way are about to add to them, rows that an actor has let go of and
 * somebody still reads, or work of a kind.
 */
export type HeldKind = Holder['address']['kind'] | 'growth' | 'let_go' | WorkKind

export interface Held {
  /** What actors hold. */
  readonly all: Weight
  /** What those of one subject hold. */
  of(subject: string): Weight
  byKind(): { readonly kind: HeldKind; readonly weight: Weight }[]
  /** Of actors. */
  change(kind: HeldKind, subject: string, growth: Weight): void
  /** Of work. */
  count(kind: HeldKind, growth: Weight): void
  /** Up to how much a subject was found to be in its share; forgotten once it holds nothing. Null: it was not looked for. */
  granted(subject: string): Allowance | null
  grant(subject: string, allowance: Allowance | null): void
}

interface Own {
  weight: Weight
  granted: Allowance | null
}

/** `freed` is called when actors hold less than before. */
export function createHeld({ freed }: { readonly freed: () => void }): Held {
  const byKind = new Map<HeldKind, Weight>()
  const bySubject = new Map<string, Own>()
  let all = WEIGHTLESS
  const count = (kind: HeldKind, growth: Weight): void => {
    byKind.set(kind, plus(byKind.get(kind) ?? WEIGHTLESS, growth))
  }
  return {
    get all() {
      return all
    },
    of: (subject) => bySubject.get(subject)?.weight ?? WEIGHTLESS,
    byKind: () => [...byKind].map(([kind, weight]) => ({ kind, weight })),
    count,
    change(kind, subject, growth) {
      all = plus(all, growth)
      count(kind, growth)
      const own = bySubject.get(subject) ?? { weight: WEIGHTLESS, granted: null }
      own.weight = plus(own.weight, growth)
      if (totalOf(own.weight) === 0) bySubject.delete(subject)
      else bySubject.set(subject, own)
      if (totalOf(growth) < 0) freed()
    },
    granted: (subject) => bySubject.get(subject)?.granted ?? null,
    grant(subject, allowance) {
      const own = bySubject.get(subject)
      if (own !== undefined) own.granted = allowance
    }
  }
}
