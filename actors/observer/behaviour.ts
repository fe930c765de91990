/** What an observer does with each command, and by the clock: the behaviour that the actor runtime runs. */
import { watchingMachine } from '../../machines/watching-machine.js'
import type { Address } from '../../src/domain/address.js'
import type { ReplyOf } from '../../src/domain/commands/commands.js'
import type { ObserverCommand } from '../../src/domain/commands/observer-commands.js'
import { DomainError } from '../../src/domain/errors.js'
import { DIMENSION_DEFAULT } from '../../src/domain/limits.js'
import { atOnce } from '../../src/domain/pieces.js'
import { fanOut } from '../asking/fan-out.js'
import type { Behaviour } from '../behaviour/behaviour.js'
import { withGrowth } from '../behaviour/growing.js'
import { growthOf } from './growth.js'
import { addRegion, type ObserverServices, perform, type Work } from './perform.js'
import { prepareCommand, type Prepared } from './prepare.js'
import { findRegion, type SampleOptions, takeSample } from './sample.js'
import { createState, initialHead, metaSessionIdOf, type ObserverState, restoreState, type Sampling } from './state.js'
import { createTimetable } from './timetable.js'

/** Milliseconds in which the meta-session is made. */
const CREATE_MS_MAX = 10_000

export type ObserverBehaviourOptions = ObserverServices & SampleOptions

export type ObserverBehaviour = Behaviour<ObserverState, ObserverCommand, Prepared, ReplyOf<ObserverCommand>>

/** One behaviour serves every observer of a node. */
export function createObserverBehaviour(options: ObserverBehaviourOptions): ObserverBehaviour {
  const timetable = createTimetable()
  const sampling: Sampling = (address, regionIds) => takeSample(options, address, [...regionIds])
  const schedule = ({ address, head }: ObserverState) => timetable.note(address, head.lastSampleAt ?? head.createdAt, head.sampleIntervalS)
  const behaviour: ObserverBehaviour = {
    kind: 'observer',
    chart: { machine: watchingMachine, of: ({ chart }) => chart },
    restore: (address, record) => atOnce(() => restoreState(address, record, sampling)),
    activated: (_, state) => schedule(state),
    missing: () => new DomainError('observer_missing', 'Observer not found'),
    async initiate(address, command, meta) {
      if (command.type !== 'observer.create') return null
      const observerId = options.ids.uuid()
      const state = createState(address, initialHead(observerId, command, meta.now), sampling)
      const work: Work = { state, prepared: null, services: options, meta, put: [], remove: [] }
      for (const regionId of command.regionIds) addRegion(work, regionId)
      await fanOut([...state.regionIds], options.clock, (regionId) => findRegion(options, address, regionId))
      await makeMetaSession(options, address, observerId)
      return { state, changes: { head: state.head, put: work.put, remove: [] } }
    },
    prepare: (state, command) => prepareCommand(options, state, command),
    step(state, command, prepared, meta) {
      const before = state.head
      const work: Work = { state, prepared, services: options, meta, put: [], remove: [] }
      const reply = perform(work, command)
      if (meta.isFresh || command.type === 'observer.sample') schedule(state)
      if (state.head === before && work.put.length === 0 && work.remove.length === 0) return { reply, changes: null }
      return { reply, changes: { head: state.head, put: work.put, remove: work.remove } }
    },
    wakes: () => true,
    describe({ address, regionIds }) {
      const observer = { kind: 'observer', id: address.id } as const
      return { links: [...regionIds].map((id) => ({ kind: 'registered', source: { kind: 'region', id }, target: observer })) }
    },
    isPinned: () => true,
    reminders: (now) => timetable.due(now).map((address) => ({ address, command: { type: 'observer.sample' } }))
  }
  return withGrowth(behaviour, growthOf)
}

/** The session that stands for the observer. One that is left when the observer is not made after all belongs to nobody, and can be deleted. */
async function makeMetaSession({ ask }: SampleOptions, { subject }: Address, observerId: string): Promise<void> {
  const session: Address = { kind: 'session', subject, id: metaSessionIdOf(observerId) }
  const settings = { dimension: DIMENSION_DEFAULT, useCortex: false, enableTopicSwitch: true, policyVectors: [] }
  await ask(session, { type: 'session.create', ...settings, backing: 'observer' }, { deadlineMs: CREATE_MS_MAX })
}
