/** What is looked at whenever metrics are scraped: actors, their mailboxes, and the nodes. */
import type { Catalog } from '../actors/catalog.js'
import type { Membership } from '../actors/nodes/membership.js'
import type { Metrics } from './metrics/prometheus.js'

export interface GaugesOptions {
  readonly catalogs: readonly Catalog[]
  /** Null: this process is alone. */
  readonly membership: Membership | null
}

/** From now on, by `metrics`. */
export function showGauges(metrics: Metrics, { catalogs, membership }: GaugesOptions): void {
  metrics.showActors(() => catalogs.map(({ kind, activeCount: count }) => ({ kind, count })))
  metrics.showMailboxes(() => catalogs.map(({ kind, waitingCount: count }) => ({ kind, count })))
  if (membership === null) return
  metrics.showNodes(() => membership.members().map(({ state, isGone }) => ({ state: isGone ? 'gone' : state, count: 1 })))
  metrics.showPlacements(() => {
    const foreign = catalogs.reduce((sum, catalog) => sum + catalog.foreignCount(), 0)
    const all = catalogs.reduce((sum, { activeCount }) => sum + activeCount, 0)
    return [
      { placement: 'foreign', count: foreign },
      { placement: 'own', count: all - foreign },
    ]
  })
}
