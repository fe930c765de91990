/** Bounds the memory that work under way takes on a node, in total and by subject. */
import { type Allowance, isWithin, shareOf, remainingAfter } from '../../src/domain/fairness/allowances.js'
import type { DomainError } from '../../src/domain/errors.js'
import { minus, plus, totalOf, type Weight, WEIGHTLESS } from '../../src/domain/fairness/weight.js'
import type { Hold } from './room.js'

/** Kind of work that memory is held for, as metrics name it. */
export type WorkKind = 'command' | 'request' | 'answer'

/**
 * Opens a hold. Its `take` throws `memory_exhausted` beyond the `work` allowance, or beyond the share of it that one subject may have, and
 * `limit_reached` for what would not fit with nothing beside it either: a retry would change nothing.
 */
export type OpenHold = (kind: WorkKind, subject: string) => Hold

/**
 * Share that one subject may hold of the memory for work that other subjects leave free, so that its bodies and answers leave room for
 * theirs. Only a single piece of work that is larger by itself may take more. One subject leaves a quarter free, two leave a sixteenth,
 * and so on.
 */
const SUBJECT_WORK_SHARE = 3 / 4

/** Share of the memory for work that such a single large piece leaves free, for small pieces beside it. */
const WORK_RESERVE_SHARE = 1 / 16

interface HoldsOptions {
  readonly work: Allowance
  readonly counted: (kind: WorkKind, growth: Weight) => void
  readonly exhausted: (weight: Weight, allowance: Allowance, what?: string) => DomainError
  /** Makes the refusal of what never fits. */
  readonly tooLarge: (weight: Weight, allowance: Allowance) => DomainError
}

export function createHolds({ work, counted, exhausted, tooLarge }: HoldsOptions): OpenHold {
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
        const whole = plus(own, weight)
        if (!isWithin(whole, singleMax)) throw tooLarge(whole, singleMax)
        const after = plus(working, weight)
        if (!isWithin(after, work)) throw exhausted(weight, work)
        const its = bySubject.get(subject) ?? WEIGHTLESS
        const subjectMax = shareOf(remainingAfter(work, minus(working, its)), SUBJECT_WORK_SHARE)
        if (!isWithin(plus(its, weight), subjectMax)) {
          // A subject's only piece of work may pass its share: a small node still serves large requests, one at a time.
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
