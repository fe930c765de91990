import t from 'tap'
import { type AnyActorRef, createActor, fromPromise, type InspectionEvent } from 'xstate'
import type { Activations } from '../../../actors/runtime/activations.js'
import type { Actors } from '../../../actors/runtime/actors.js'
import { createSupervisorLogic } from '../../../actors/runtime/supervisor-logic.js'
import type { LifecycleReply } from '../../../machines/lifecycle.js'
import { startRuntime } from '../../support/runtime.js'

const ACTORS = 50
/** Upper bound on the event types of a supervisor, whatever the number of its actors. */
const NAMES_MAX = 5
const EVICTED: LifecycleReply = { type: 'actor.evicted' }

/** Collects the event types that the supervisor received: a machine caches the transitions of each type for as long as it lives. */
function watchNames() {
  const names = new Set<string>()
  return {
    names,
    inspect: (seen: InspectionEvent) => {
      if (seen.type === '@xstate.microstep' && (seen.actorRef as AnyActorRef).id === 'session') names.add(seen.event.type)
    }
  }
}

t.test('the ends of any number of actors have one name', async (t) => {
  const { names, inspect } = watchNames()
  const { ask, catalog } = await startRuntime({ inspect })
  for (let at = 0; at < ACTORS; at++) await ask(`list-${String(at)}`, { type: 'list.create' })
  await catalog.passivateAll()
  t.equal(catalog.activeCount, 0)
  t.ok(names.has('xstate.done.actor.any'))
  t.ok(names.size <= NAMES_MAX, [...names].join())
})

t.test('each end is told with the id of its actor, also of those that end by a throw, and these have one name too', async (t) => {
  const { names, inspect } = watchNames()
  const retired = new Map<string, LifecycleReply>()
  const activations: Pick<Activations, 'adopt' | 'abandon' | 'retire'> = {
    adopt: () => {},
    abandon: () => {},
    retire: (actorId, ending) => void retired.set(actorId, ending)
  }
  const logic = createSupervisorLogic({} as Actors, activations as Activations)
  const supervisor = createActor(logic, { id: 'session', input: { sweepMs: 60_000 }, inspect }).start()
  const failure = new TypeError('Bug')
  for (let at = 0; at < ACTORS; at++) {
    const ending = fromPromise(() => (at % 2 === 0 ? Promise.resolve(EVICTED) : Promise.reject(failure)))
    createActor(ending, { parent: supervisor, id: String(at) }).start()
  }
  await new Promise(setImmediate)
  supervisor.stop()
  t.equal(retired.size, ACTORS)
  t.same(retired.get('0'), EVICTED)
  t.same(retired.get('49'), { type: 'actor.failed', error: failure })
  t.strictSame([...names].sort(), ['xstate.done.actor.any', 'xstate.error.actor.any', 'xstate.stop'])
})
