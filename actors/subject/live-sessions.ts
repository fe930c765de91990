/** Sessions of a subject that are in memory on any node. */
import type { Peers } from '../placement/peers.js'
import type { Catalog } from '../runtime/catalog.js'

/** Milliseconds for a node to passivate sessions: a thousand take less than a second. */
const PASSIVATE_MS_MAX = 10_000

/** Nodes that do not answer in time are left out. */
export interface LiveSessions {
  /** Ids in no particular order between nodes. */
  activeIds(subject: string): Promise<string[]>
  /** Id of the session that a client used last, regardless of other reads; null if no used one is in memory. */
  last(subject: string): Promise<string | null>
  /** Passivates the idle ones among the given sessions. Busy ones stay. */
  passivate(subject: string, ids: readonly string[]): Promise<void>
}

/** `catalog` is a function because the catalog is created later. */
export function createLiveSessions({
  catalog,
  peers
}: {
  catalog: () => Pick<Catalog, 'activeIds' | 'mostRecent' | 'passivate'>
  peers: Peers
}): LiveSessions {
  return {
    async activeIds(subject) {
      const { answers } = await peers.askAll({ type: 'actors.active', kind: 'session', subject })
      return [...new Set([...catalog().activeIds(subject), ...answers.flat()])]
    },
    async last(subject) {
      const { answers } = await peers.askAll({ type: 'sessions.last', subject })
      const known = [catalog().mostRecent(subject) ?? null, ...answers].filter((last) => last !== null)
      const [latest] = known.sort((one, other) => one.idleMs - other.idleMs)
      return latest?.id ?? null
    },
    async passivate(subject, ids) {
      await Promise.all([catalog().passivate(subject, ids), peers.askAll({ type: 'sessions.passivate', subject, ids }, PASSIVATE_MS_MAX)])
    }
  }
}
