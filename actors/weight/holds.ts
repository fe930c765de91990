/** The memory of a node for work under way, in all and by subject. */
import { type Allowance, isWithin, shareOf, without } from '../../src/domain/allowances.js'
import type { DomainError } from '../../src/domain/errors.js'
import { minus, plus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/weight.js'
import type { Hold } from './room.js'

/** What work is of, for metrics. */
export type WorkKind = 'command' | 'request' | 'answer'

/** Throws `memory_exhausted` when taken beyond `work`, or beyond the share of it that one subject may have. */
export type OpenHold = (kind: WorkKind, subject: string) => Hold

/**
 * What one subject may hold of the memory for work that other subjects leave, so that its bodies and answers leave room for theirs. Only a
 * single one that is larger by itself may take more. One subject leaves a quarter free, two a sixteenth, and so on.
 */
const SUBJECT_WORK_SHARE = 3 / 4

/** Share of the memory for work that such a single one leaves free, for what is small. */
const WORK_RESERVE_SHARE = 1 / 16

export interface HoldsOptions {
  readonly work: Allowance
  readonly counted: (kind: WorkKind, growth: Weight) => void
  readonly exhausted: (weight: Weight, allowance: Allowance, what?: string) => DomainError
}

export function createHolds({ work, counted, exhausted }: HoldsOptions): OpenHold {
  const singleMax = shareOf(work, 1 - WORK_RESERVE_SHARE)
  const bySubject = new Map<string, Weight>()
  let working = WEIGHTLESS
  return (kind, subject) => {
    let own = WEIGHTLESS
    let isClosed = false
    const free = (): void => change(minus(WEIGHTLESS, own))
    const change = (growth: Weight): void => {
      own = plus(own, growth)
      working = plus(working, growth)
      counted(kind, growth)
      const its = plus(bySubject.get(subject) ?? WEIGHTLESS, growth)
      if (totalOf(its) === 0) bySubject.delete(subject)
      else bySubject.set(subject, its)
    }
    return {
      take(weight) {
        const after = plus(working, weight)
        if (!isWithin(after, work)) throw exhausted(weight, work)
        const its = bySubject.get(subject) ?? WEIGHTLESS
        const subjectMax = shareOf(without(work, minus(working, its)), SUBJECT_WORK_SHARE)
        if (!isWithin(plus(its, weight), subjectMax)) {
          // What a small node can do one thing of at a time, it still does.
          const isSingle = totalOf(its) === totalOf(own)
          if (!isSingle || !isWithin(after, singleMax)) throw exhausted(weight, subjectMax, 'work under way of one licence')
        }
        if (!isClosed) change(weight)
      },
      free,
      close() {
        free()
        isClosed = true
      }
    }
  }
}
