/** What a region does with each command: the behaviour that the actor runtime runs. */
import { realignmentMachine } from '../../machines/realignment-machine.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { RegionCommand, RegionInfo } from '../../src/domain/commands/region-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { atOnce } from '../../src/domain/pieces.js'
import type { ActorStorage } from '../../src/ports.js'
import { askingFor } from '../asking/inner-ask.js'
import type { Behaviour } from '../behaviour/behaviour.js'
import { withGrowth } from '../behaviour/growing.js'
import { refuseWhenFull } from '../subject/record-list.js'
import { growthOf } from './growth.js'
import { makeMetaSession } from './meta-session.js'
import { perform } from './perform.js'
import { prepareCommand, type Prepared } from './prepare.js'
import type { PrepareOptions } from './asking.js'
import { createState, type RegionHead, type RegionState, restoreState } from './state.js'
import type { RegionServices, Work } from './work.js'

/** Regions of a subject, each with a session of its own. */
const REGIONS_MAX = 1_000

export type RegionBehaviourOptions = RegionServices & PrepareOptions & { readonly storage: Pick<ActorStorage, 'list'> }

export type RegionBehaviour = Behaviour<RegionState, RegionCommand, Prepared, ReplyOf<RegionCommand>>

/** One behaviour serves every region of a node. */
export function createRegionBehaviour(options: RegionBehaviourOptions): RegionBehaviour {
  const behaviour: RegionBehaviour = {
    kind: 'region',
    chart: { machine: realignmentMachine, of: ({ chart }) => chart },
    restore: (address, record) => atOnce(() => restoreState(address, record)),
    missing: () => new DomainError('region_missing', 'Region not found'),
    async initiate(address, command, meta) {
      if (command.type !== 'region.create') return null
      const { subject } = address
      await refuseWhenFull(options.storage, {
        kind: 'region',
        subject,
        max: REGIONS_MAX,
        message: `There are ${REGIONS_MAX} regions already`
      })
      await makeMetaSession(askingFor(options.ask, meta, address), address, command.settings)
      const state = createState(address, command)
      return { state, changes: { head: state.head, put: [], remove: [] } }
    },
    prepare: (state, command, _, request) =>
      prepareCommand({ ...options, ask: askingFor(options.ask, request, state.address) }, state, command),
    step(state, command, prepared, meta) {
      const work: Work = { state, prepared, services: options, meta, put: [], remove: [], messages: [] }
      const before = state.head
      const reply = perform(work, command, meta.isFresh)
      if (command.type === 'region.delete') return { reply, changes: null, isRemoval: true }
      const isErasure = command.type === 'user.erase'
      if (state.head === before && work.put.length === 0 && work.remove.length === 0) return { reply, changes: null, isErasure }
      return { reply, changes: { head: state.head, put: work.put, remove: work.remove }, outbox: work.messages, isErasure }
    },
    // Without it the clusters' votes would be lost, and its meta-session would belong to nobody.
    describe({ address, head, clusters }) {
      const region = { kind: 'region', id: address.id } as const
      return {
        links: [
          { kind: 'backing', source: { kind: 'session', id: head.info.metaSessionId }, target: region },
          ...[...clusters.keys()].map((id) => ({ kind: 'attached', source: { kind: 'cluster', id }, target: region }) as const)
        ]
      }
    },
    isPinned: () => true
  }
  return withGrowth(behaviour, growthOf)
}

/** What a record's head says of its region, for listings. */
export function readRegionHead(head: unknown): RegionInfo & { readonly clusterCount: number } {
  const { info, clusterCount } = head as RegionHead
  return { ...info, clusterCount }
}
