/** A subject's sessions that are in memory, whichever node they live on. */
import type { Peers } from '../placement/peers.js'
import type { Catalog } from '../runtime/catalog.js'

/** Milliseconds for a node to put sessions away: a thousand take less than a second. */
const PASSIVATE_MS_MAX = 10_000

/** As far as the nodes answer: one that does not has no say in it. */
export interface LiveSessions {
  /** In no particular order between nodes. */
  activeIds(subject: string): Promise<string[]>
  /** The one that the subject used last, whatever else looked at them; null when none is in memory that it used. */
  last(subject: string): Promise<string | null>
  /** Puts those away that nobody waits for. The rest stays as it is. */
  passivate(subject: string, ids: readonly string[]): Promise<void>
}

/** `catalog` is asked for each time: it is made later than its user here. */
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
