/** Refusals of a node that lacks memory, each counted when it is made. */
import type { Allowance } from '../../src/domain/fairness/allowances.js'
import { DomainError } from '../../src/domain/errors.js'
import { inMebibytes, totalOf, type Weight } from '../../src/domain/fairness/weight.js'
import type { Counters } from '../../src/ports.js'

interface Lack {
  readonly growth: Weight
  readonly allowance: Allowance
}

/** Makes the refusal of what may fit later: `memory_exhausted`. */
export function memoryExhausted(
  counters: Counters,
  { budget, growth, allowance, what }: Lack & { readonly budget: 'actors' | 'work'; readonly what: string }
): DomainError {
  counters.count({ name: 'memory_refusal', budget })
  return new DomainError(
    'memory_exhausted',
    `The node has too little memory for this (SERVICE_MEMORY_LIMIT_MB): it takes ${inMebibytes(totalOf(growth))}, and ${what} may take ${most(allowance)}`
  )
}

/** Makes the refusal of work that does not fit with nothing beside it: `limit_reached`. */
export function neverFits(counters: Counters, { growth, allowance }: Lack): DomainError {
  counters.count({ name: 'memory_refusal', budget: 'work' })
  return new DomainError(
    'limit_reached',
    `This is too large for the memory of the node (SERVICE_MEMORY_LIMIT_MB): it takes ${inMebibytes(totalOf(growth))}, and one request may take ${most(allowance)}`
  )
}

function most({ heap, total }: Allowance): string {
  return `${inMebibytes(total)}, of which ${inMebibytes(heap)} of heap`
}
