/** Preparations of an observer's commands: asks to other actors. */
import { fanOut } from '../asking/fan-out.js'
import type { Preparations } from '../coordination/kind.js'
import { deleteMetaSession, metaAddress } from '../coordination/meta-session.js'
import { findRegion, takeCensus } from './sample.js'
import type { ObserverKind } from './work.js'

export const PREPARATIONS: Preparations<ObserverKind> = {
  'observer.sample': (_, state) => state.takeSample(),
  'observer.summary': (asking, { regionIds }) => takeCensus(asking, [...regionIds]),
  async 'observer.create'(asking, state, { regionIds }) {
    // Only new regions are checked: a registered one may have been deleted since, and is dropped by the next sample.
    const added = regionIds.filter((id) => !state.regionIds.has(id))
    await fanOut(added, asking.clock, (regionId) => findRegion(asking, regionId))
  },
  async 'observer.register'(asking, _, { regionId }) {
    await findRegion(asking, regionId)
  },
  async 'observer.delete'({ ask, address }, { head }) {
    await deleteMetaSession(ask, metaAddress({ subject: address.subject, id: head.observerId }))
  }
}
