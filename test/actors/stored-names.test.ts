/** Names within stored records. Records of earlier versions have them, so a renamed one would lose its data. */
import t from 'tap'
import * as cluster from '../../actors/cluster/state.js'
import { REQUEST } from '../../actors/messaging/idempotency-ring.js'
import { OUTBOX } from '../../actors/messaging/outbox.js'
import * as network from '../../actors/network/state.js'
import * as observer from '../../actors/observer/state.js'
import * as region from '../../actors/region/state.js'
import * as session from '../../actors/session/record/head.js'

/** The string constants of a module. */
const named = (module: object) => Object.fromEntries(Object.entries(module).filter(([, value]) => typeof value === 'string'))

t.test('collections and single rows of stored records have the names that they always had', async (t) => {
  t.same(
    { REQUEST, OUTBOX, session: named(session), cluster: named(cluster), region: named(region) },
    {
      REQUEST: 'request',
      OUTBOX: 'outbox',
      session: {
        MEMORY: 'memory',
        STATS: 'stats',
        PACKED: 'packed',
        ANCHOR: 'anchor',
        TRIGGER: 'trigger',
        DELTA: 'delta',
        ISOLATION: 'isolation',
        HELD: 'held',
        ENTITY: 'entity',
        GIVEN: 'given',
        DAY: 'day',
        ISOLATION_ROW: 'vectors',
        GIVEN_ROW: 'vectors'
      },
      cluster: { MEMBER: 'member', REGION: 'region', DRIFT: 'drift', FEEDBACK: 'feedback' },
      region: { CLUSTER: 'cluster', DRIFT_EVENT: 'drift_event', CONSENSUS: 'consensus', CONSENSUS_ROW: 'target' }
    }
  )
  t.same(named(observer), { REGION: 'region', CONDITION: 'condition', ANOMALY: 'anomaly' })
  t.same(named(network), { USER: 'user', TRUST: 'trust', VOTER: 'voter' })
})
