/** Behaviour of regions, which the actor runtime runs. */
import { realignmentMachine } from '../../machines/realignment-machine.js'
import { notFound } from '../../src/domain/errors.js'
import { askingFor } from '../asking/inner-ask.js'
import { createKind } from '../coordination/kind.js'
import { makeMetaSession, metaAddress } from '../coordination/meta-session.js'
import { refuseWhenTooMany } from '../subject/record-list.js'
import { COMMANDS } from './commands.js'
import { createState, restoreState } from './state.js'
import type { RegionKind, RegionServices } from './work.js'

/** Upper bound on a subject's regions, each with a session of its own. */
const REGIONS_MAX = 1_000

/** Creates the behaviour. One serves every region of a node. */
export function createRegionBehaviour(services: RegionServices) {
  return createKind<RegionKind>({
    kind: 'region',
    chart: { machine: realignmentMachine, of: ({ chart }) => chart },
    services,
    restore: restoreState,
    missing: () => notFound('Region'),
    async initiate(address, command, meta) {
      if (command.type !== 'region.create') return null
      const { subject } = address
      const message = `There are ${REGIONS_MAX} regions already`
      await refuseWhenTooMany(services.storage, { kind: 'region', subject, max: REGIONS_MAX, message })
      await makeMetaSession(askingFor(services.ask, meta, address), metaAddress(address), { ...command.settings, backing: 'region' })
      const state = createState(address, command)
      return { state, changes: { head: state.head, put: [], remove: [] } }
    },
    commands: COMMANDS,
    life: { madeBy: 'region.create', removedBy: 'region.delete' },
    links: ({ address, head, clusters }) => {
      const region = { kind: 'region', id: address.id } as const
      return [
        { kind: 'backing', source: { kind: 'session', id: head.info.metaSessionId }, target: region },
        ...[...clusters.keys()].map((id) => ({ kind: 'attached', source: { kind: 'cluster', id }, target: region }) as const)
      ]
    }
  })
}
