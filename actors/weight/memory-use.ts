/** Counts the bytes of a node's memory that are in use, by kind and by subject. */
import type { Allowance } from '../../src/domain/fairness/allowances.js'
import { plus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { WorkKind } from './holds.js'
import type { Holder } from './victims.js'

/**
 * Label that bytes are counted under: the kind of an actor; `growth`, reserved for what commands under way are about to add to actors;
 * `let_go`, rows that an actor has released while an answer still reads them; or a kind of work.
 */
export type MemoryUseKind = Holder['address']['kind'] | 'growth' | 'let_go' | WorkKind

export interface MemoryUse {
  /** Total that actors hold, reservations and leased rows included. Work under way is not part of it. */
  readonly all: Weight
  /** Part of `all` that belongs to one subject. */
  of(subject: string): Weight
  byKind(): { readonly kind: MemoryUseKind; readonly weight: Weight }[]
  /** Adds to, or with a negative weight takes from, what the actors of a subject hold. */
  change(kind: MemoryUseKind, subject: string, growth: Weight): void
  /** Adds to, or with a negative weight takes from, what work holds. Changes neither `all` nor a subject's total. */
  count(kind: MemoryUseKind, growth: Weight): void
  /** Cached upper bound within which a subject is inside its share; null if not known. Dropped once the subject holds nothing. */
  granted(subject: string): Allowance | null
  grant(subject: string, allowance: Allowance | null): void
}

interface Own {
  weight: Weight
  granted: Allowance | null
}

/** `freed` is called after each change that makes actors hold less. */
export function createMemoryUse({ freed }: { readonly freed: () => void }): MemoryUse {
  const byKind = new Map<MemoryUseKind, Weight>()
  const bySubject = new Map<string, Own>()
  let all = WEIGHTLESS
  const count = (kind: MemoryUseKind, growth: Weight): void => {
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
