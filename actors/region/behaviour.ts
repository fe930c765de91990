/** Behaviour of regions, which the actor runtime runs. */
import { realignmentMachine } from '../../machines/realignment-machine.js'
import { notFound } from '../../src/domain/errors.js'
import type { ActorStorage } from '../../src/ports.js'
import { askingAnew, askingFor } from '../asking/inner-ask.js'
import { makeMetaSession } from '../asking/meta-session.js'
import { createKind } from '../behaviour/kind.js'
import { refuseWhenFull } from '../subject/record-list.js'
import type { Asking } from './asking.js'
import { growthOf } from './growth.js'
import { ownerOf } from './meta-session.js'
import { PREPARATIONS } from './prepare.js'
import { createState, restoreState } from './state.js'
import { STEPS } from './steps.js'
import type { RegionKind, RegionServices } from './work.js'

/** Upper bound on a subject's regions, each with a session of its own. */
const REGIONS_MAX = 1_000

type RegionBehaviourOptions = RegionServices & Pick<Asking, 'ask' | 'clock'> & { readonly storage: Pick<ActorStorage, 'list'> }

/** Creates the behaviour. One serves every region of a node. */
export function createRegionBehaviour(options: RegionBehaviourOptions) {
  return createKind<RegionKind>({
    kind: 'region',
    chart: { machine: realignmentMachine, of: ({ chart }) => chart },
    services: options,
    restore: restoreState,
    missing: () => notFound('Region'),
    async initiate(address, command, meta) {
      if (command.type !== 'region.create') return null
      const { subject } = address
      const message = `There are ${REGIONS_MAX} regions already`
      await refuseWhenFull(options.storage, { kind: 'region', subject, max: REGIONS_MAX, message })
      await makeMetaSession(askingFor(options.ask, meta, address), ownerOf(address), { ...command.settings, backing: 'region' })
      const state = createState(address, command)
      return { state, changes: { head: state.head, put: [], remove: [] } }
    },
    asking: ({ address, request, signal }) => ({
      ask: askingFor(options.ask, request, address),
      askAnew: askingAnew(options.ask, request),
      clock: options.clock,
      signal
    }),
    prepare: PREPARATIONS,
    unprepared: null,
    growthOf,
    steps: STEPS,
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
