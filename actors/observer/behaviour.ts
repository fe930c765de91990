/** Behaviour of observers, which the actor runtime runs. */
import { watchingMachine } from '../../machines/watching-machine.js'
import { notFound } from '../../src/domain/errors.js'
import { DIMENSION_DEFAULT } from '../../src/domain/limits.js'
import { metaSessionIdOf } from '../../src/domain/meta-session.js'
import { observerIdOf } from '../../src/domain/request-keys.js'
import type { StoredRow } from '../../src/ports.js'
import { fanOut } from '../asking/fan-out.js'
import { askingFor } from '../asking/inner-ask.js'
import { createKind } from '../coordination/kind.js'
import { makeMetaSession, metaAddress, PLAIN_SETTINGS } from '../coordination/meta-session.js'
import { addRegion, COMMANDS, schedule } from './commands.js'
import { findRegion, takeSample } from './sample.js'
import { createState, initialHead, restoreState, type Sampling } from './state.js'
import { createTimetable } from './timetable.js'
import type { ObserverKind, ObserverServices } from './work.js'

const META_SETTINGS = { ...PLAIN_SETTINGS, dimension: DIMENSION_DEFAULT, backing: 'observer' } as const

/** Creates the behaviour. One serves every observer of a node. */
export function createObserverBehaviour(options: Omit<ObserverServices, 'timetable'>) {
  const timetable = createTimetable()
  const { ask, clock } = options
  const sampling: Sampling = (address, regionIds) => takeSample({ ask, clock, address }, [...regionIds])
  return createKind<ObserverKind>({
    kind: 'observer',
    chart: { machine: watchingMachine, of: ({ chart }) => chart },
    services: { ...options, timetable },
    restore: (address, record) => restoreState(address, record, sampling),
    activated: (_, state) => schedule({ timetable }, state),
    missing(address) {
      timetable.forget(address)
      return notFound('Observer')
    },
    async initiate(address, command, meta) {
      if (command.type !== 'observer.create') return null
      const observerId = observerIdOf(address.subject, meta.requestId)
      const state = createState(address, initialHead(observerId, command, meta.now), sampling)
      const put: StoredRow[] = []
      for (const regionId of command.regionIds) addRegion({ state, put }, regionId)
      const asking = { ask: askingFor(ask, meta, address), clock, address }
      await fanOut([...state.regionIds], clock, (regionId) => findRegion(asking, regionId))
      await makeMetaSession(asking.ask, metaAddress({ subject: address.subject, id: observerId }), META_SETTINGS)
      return { state, changes: { head: state.head, put, remove: [] } }
    },
    commands: COMMANDS,
    life: { madeBy: 'observer.create', removedBy: 'observer.delete' },
    links: ({ address, head, regionIds }) => {
      const target = { kind: 'observer', id: address.id } as const
      return [
        { kind: 'backing', source: { kind: 'session', id: metaSessionIdOf(head.observerId) }, target },
        ...[...regionIds].map((id) => ({ kind: 'registered', source: { kind: 'region', id }, target }) as const)
      ]
    },
    wakes: () => true,
    forgetReminders: timetable.forget,
    reminders: (now) => timetable.due(now).map((address) => ({ address, command: { type: 'observer.sample' } }))
  })
}
