import t from 'tap'
import { initialTransition, transition } from 'xstate'
import { type RealignmentEvent, realignmentMachine } from '../../machines/realignment-machine.js'
import { holdToDescription } from '../support/random-walk.js'
import { walk } from './walk.js'

const weighed = (fraction: number, isByVote = true, threshold = 0.5): RealignmentEvent => ({
  type: 'votes.weighed',
  fraction,
  threshold,
  isByVote
})
const FOUND: RealignmentEvent = { type: 'consensus.found' }
const MISSED: RealignmentEvent = { type: 'consensus.missed' }
const PULLED: RealignmentEvent = { type: 'clusters.pulled' }
const WITHDRAWN: RealignmentEvent = { type: 'consensus.withdrawn' }

/** Runs events from the initial state. Returns the state and the tasks of all events. */
function after(...events: RealignmentEvent[]) {
  let [state] = initialTransition(realignmentMachine)
  const tasks: string[] = []
  for (const event of events) {
    const [next, actions] = transition(realignmentMachine, state, event)
    state = next
    tasks.push(...actions.map(({ type }) => type).filter((type) => !type.startsWith('xstate.')))
  }
  return { ...state.value, tasks }
}

t.test('every state and every transition is reached', async (t) => {
  // The machine raises the last two itself, which a walk does not see.
  const own = [{ type: 'realignment.wanted' }, { type: 'realignment.ended' }] as const
  const events = [weighed(0.9), weighed(0.9, false), weighed(0.1), weighed(0), FOUND, MISSED, PULLED, WITHDRAWN, ...own]
  const { states, missed } = walk(realignmentMachine, { events })
  t.same(states, [
    'votes',
    'votes.coolingDown',
    'votes.gathering',
    'votes.quiet',
    'votes.realigning',
    'work',
    'work.asking',
    'work.idle',
    'work.outdated',
    'work.pulling'
  ])
  t.same(missed, [])
})

t.test('votes that exceed the threshold start one realignment until they have been divided again', async (t) => {
  t.same(after(weighed(0.5)), { votes: 'gathering', work: 'idle', tasks: [] })
  t.same(after(weighed(0.6)), { votes: 'realigning', work: 'asking', tasks: ['count', 'ask'] })
  t.same(after(weighed(0.6), weighed(0.9), weighed(0.7)).tasks, ['count', 'ask'])
  const done = [weighed(0.6), FOUND, PULLED]
  t.same(after(...done, weighed(0.9)), { votes: 'coolingDown', work: 'idle', tasks: ['count', 'ask', 'pull', 'finish'] })
  t.same(after(...done, weighed(0.5), weighed(0.6)).tasks, ['count', 'ask', 'pull', 'finish', 'count', 'ask'])
  t.same(after(...done, weighed(0)).votes, 'quiet')
})

t.test('a consensus that nobody voted for is none; one that time has ended is over', async (t) => {
  t.same(after(weighed(1, false)), { votes: 'gathering', work: 'idle', tasks: [] })
  t.same(after(weighed(1), weighed(0.2, false)).votes, 'gathering')
  t.same(
    after(weighed(1), weighed(0, false)),
    { votes: 'quiet', work: 'asking', tasks: ['count', 'ask'] },
    'though its realignment goes on'
  )
  t.same(after(weighed(1), weighed(0.9, false)).votes, 'realigning')
})

t.test('a realignment asks, then pulls, then rests', async (t) => {
  t.same(after(weighed(1), FOUND), { votes: 'realigning', work: 'pulling', tasks: ['count', 'ask', 'pull'] })
  t.same(after(weighed(1), FOUND, PULLED), { votes: 'coolingDown', work: 'idle', tasks: ['count', 'ask', 'pull', 'finish'] })
  t.same(after(weighed(1), MISSED), { votes: 'coolingDown', work: 'idle', tasks: ['count', 'ask', 'finish'] })
})

t.test('a crossing while the clusters are asked is served by their answers', async (t) => {
  t.same(after(weighed(1), weighed(0), weighed(1), FOUND, PULLED).tasks, ['count', 'ask', 'count', 'pull', 'finish'])
})

t.test('a crossing while they are pulled is followed by another realignment', async (t) => {
  const overtaken = [weighed(1), FOUND, weighed(0), weighed(1), weighed(0), weighed(1), PULLED]
  t.same(after(...overtaken), { votes: 'realigning', work: 'asking', tasks: ['count', 'ask', 'pull', 'count', 'count', 'ask'] })
  t.same(after(...overtaken, FOUND, PULLED).votes, 'coolingDown')
})

t.test('a consensus that is withdrawn is looked for again', async (t) => {
  t.same(after(weighed(1), WITHDRAWN).tasks, ['count', 'ask', 'ask'])
  t.same(after(weighed(1), FOUND, WITHDRAWN), { votes: 'realigning', work: 'asking', tasks: ['count', 'ask', 'pull', 'ask'] })
  t.same(after(WITHDRAWN), { votes: 'quiet', work: 'idle', tasks: [] })
})

/** State of a region as its clusters see it. */
interface Place {
  /** Whether the votes have not fallen below the threshold since they last crossed it. */
  readonly isAgreed: boolean
  readonly hasVotes: boolean
  /** What is being done about it; `isOvertaken`: it has to be done again. */
  readonly doing: 'nothing' | 'asking' | 'pulling'
  readonly isOvertaken: boolean
}

const FRACTIONS = [0, 0.1, 0.5, 0.51, 1]
const THRESHOLDS = [0.1, 0.5, 1]
const REST = [FOUND, MISSED, PULLED, WITHDRAWN]

t.test('along a long walk, it agrees with its description, and would not without any of its guards or actions', async (t) => {
  holdToDescription<typeof realignmentMachine, Place>(t, realignmentMachine, {
    start: { place: { isAgreed: false, hasVotes: false, doing: 'nothing', isOvertaken: false }, actions: [] },
    draw: (chance) =>
      (chance.oneIn(2) ? weighed(chance.pick(FRACTIONS) ?? 0, chance.oneIn(2), chance.pick(THRESHOLDS)) : chance.pick(REST)) ?? FOUND,
    next(place, event) {
      const { isAgreed, doing, isOvertaken } = place
      const asks = { place: { ...place, doing: 'asking', isOvertaken: false }, actions: ['ask'] } as const
      const ends = { place: { ...place, doing: 'nothing' }, actions: ['finish'] } as const
      if (event.type === 'votes.weighed') {
        const isOver = event.fraction > event.threshold
        const crosses = !isAgreed && isOver && event.isByVote
        const next = { ...place, hasVotes: event.fraction > 0, isAgreed: crosses || (isAgreed && isOver) }
        if (!crosses) return { place: next, actions: [] }
        if (doing === 'nothing') return { place: { ...next, doing: 'asking' }, actions: ['count', 'ask'] }
        return { place: { ...next, isOvertaken: isOvertaken || doing === 'pulling' }, actions: ['count'] }
      }
      if (event.type === 'consensus.found' && doing === 'asking') return { place: { ...place, doing: 'pulling' }, actions: ['pull'] }
      if (event.type === 'consensus.missed' && doing === 'asking') return ends
      if (event.type === 'consensus.withdrawn' && doing !== 'nothing') return asks
      if (event.type === 'clusters.pulled' && doing === 'pulling') return isOvertaken ? asks : ends
      return { place, actions: [] }
    },
    valueOf({ isAgreed, hasVotes, doing, isOvertaken }) {
      const agreed = doing === 'nothing' ? 'coolingDown' : 'realigning'
      return {
        votes: isAgreed ? agreed : hasVotes ? 'gathering' : 'quiet',
        work: doing === 'nothing' ? 'idle' : isOvertaken ? 'outdated' : doing
      }
    }
  })
})
