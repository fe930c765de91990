/** Gauges read on each scrape of the metrics: actors, their mailboxes, and the nodes. */
import type { Membership } from '../../actors/placement/membership.js'
import type { Catalog } from '../../actors/runtime/catalog.js'
import { createPendings, type Pendings } from '../../actors/session/reminders/pendings.js'
import type { NodeBudget } from '../../actors/weight/node-budget.js'
import type { Member } from '../domain/nodes/membership.js'
import type { Metrics } from '../metrics/prometheus.js'

interface GaugesOptions {
  readonly catalogs: readonly Catalog[]
  readonly budget: NodeBudget
  /** Null: this process runs alone. */
  readonly membership: Membership | null
}

/** Registers the gauges with `metrics`. */
export function showGauges(metrics: Metrics, { catalogs, budget, membership }: GaugesOptions): void {
  metrics.showHeldBytes(() => budget.held().map(({ kind, weight }) => ({ kind, count: weight.heap + weight.buffers })))
  metrics.showHeldHeapBytes(() => budget.held().map(({ kind, weight }) => ({ kind, count: weight.heap })))
  metrics.showMemoryBudgets(() => {
    const { actors, work } = budget.allowances
    return [
      { budget: 'actors', count: actors.total },
      { budget: 'actors_heap', count: actors.heap },
      { budget: 'work', count: work.total },
      { budget: 'work_heap', count: work.heap }
    ]
  })
  metrics.showActors(() => catalogs.map(({ kind, activeCount: count }) => ({ kind, count })))
  metrics.showMailboxes(() => catalogs.map(({ kind, waitingCount: count }) => ({ kind, count })))
  if (membership === null) return
  metrics.showNodes(() => heardBy(membership).map(({ state, isGone }) => ({ state: isGone ? 'gone' : state, count: 1 })))
  metrics.showPlacements(() => {
    const foreign = catalogs.reduce((sum, catalog) => sum + catalog.foreignCount(), 0)
    const all = catalogs.reduce((sum, { activeCount }) => sum + activeCount, 0)
    return [
      { placement: 'foreign', count: foreign },
      { placement: 'own', count: all - foreign }
    ]
  })
}

/** Members that the node currently hears. An isolated node hears only itself, although it still lists the others. */
export function heardBy({ state, self, members }: Pick<Membership, 'state' | 'self' | 'members'>): readonly Member[] {
  return state === 'isolated' ? members().filter(({ nodeId }) => nodeId === self.nodeId) : members()
}

/** Tracks the sessions of a node that wait for vectors, and shows the number of missing vectors in `metrics`. */
export function createShownPendings(metrics: Pick<Metrics, 'showPending'>): Pendings {
  const pendings = createPendings()
  metrics.showPending(() => pendings.total())
  return pendings
}
