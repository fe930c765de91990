import t from 'tap'
import { type Sighting, type WatchingEvent, watchingMachine } from '../../machines/watching-machine.js'
import { holdToDescription } from '../support/random-walk.js'
import { walk } from './walk.js'

const NONE: Sighting = { held: 0, raised: 0 }
const NEW: Sighting = { held: 2, raised: 1 }
const SAME: Sighting = { held: 1, raised: 0 }

const sampled = (convergence: Sighting, drift: Sighting, divergence: Sighting): WatchingEvent => ({
  type: 'sample.taken',
  sightings: { cross_cluster_convergence: convergence, systemic_drift: drift, cluster_divergence: divergence }
})

const SIGHTINGS = [NONE, NEW, SAME]
const SAMPLES = SIGHTINGS.flatMap((a) => SIGHTINGS.flatMap((b) => SIGHTINGS.map((c) => sampled(a, b, c))))
const LOOKS: WatchingEvent[] = [{ type: 'look.began' }, { type: 'look.ended' }]

t.test('every state and every transition is reached', async (t) => {
  const { states, missed } = walk(watchingMachine, { events: [...LOOKS, ...SAMPLES] })
  const kinds = ['convergence', 'divergence', 'systemicDrift'].flatMap((kind) => [kind, `${kind}.absent`, `${kind}.present`])
  t.same(states, [...kinds, 'sampling', 'sampling.looking', 'sampling.resting'].sort())
  t.same(missed, [])
})

const KINDS = [
  { region: 'convergence', type: 'cross_cluster_convergence', record: 'recordConvergence' },
  { region: 'systemicDrift', type: 'systemic_drift', record: 'recordSystemicDrift' },
  { region: 'divergence', type: 'cluster_divergence', record: 'recordDivergence' }
] as const

/** The regions that an observer watches, and whether it is observing. */
interface Place {
  readonly isLooking: boolean
  readonly inView: ReadonlySet<string>
}

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  holdToDescription<typeof watchingMachine, Place>(t, watchingMachine, {
    start: { place: { isLooking: false, inView: new Set() }, actions: [] },
    draw: (chance) => (chance.oneIn(3) ? chance.pick(LOOKS) : chance.pick(SAMPLES)) ?? { type: 'look.began' },
    next(place, event) {
      if (event.type !== 'sample.taken') return { place: { ...place, isLooking: event.type === 'look.began' }, actions: [] }
      const held = KINDS.filter(({ type }) => event.sightings[type].held > 0)
      const recorded = held.filter(({ region, type }) => !place.inView.has(region) || event.sightings[type].raised > 0)
      return { place: { ...place, inView: new Set(held.map(({ region }) => region)) }, actions: recorded.map(({ record }) => record) }
    },
    valueOf: ({ isLooking, inView }) => ({
      sampling: isLooking ? 'looking' : 'resting',
      ...Object.fromEntries(KINDS.map(({ region }) => [region, inView.has(region) ? 'present' : 'absent']))
    })
  })
})
