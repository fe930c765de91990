/** A budget that never refuses, for tests that are not about memory. */
import { createNodeBudget, type NodeBudget } from '../../actors/weight/node-budget.js'

const ALL = { heap: Infinity, total: Infinity }

export function unlimitedBudget(): NodeBudget {
  return createNodeBudget({
    clock: { after: () => () => undefined },
    counters: { count: () => undefined },
    isDurable: true,
    actors: ALL,
    work: ALL
  })
}
