import fc from 'fast-check'
import t from 'tap'
import { nextRealignment, REALIGNMENT_START, realignmentMachine, type RealignmentCommand, type RealignmentProgress } from '../../machines/realignment-machine.js'
import { walk } from './walk.js'

const weighed = (fraction: number, isByVote = true, threshold = 0.5): RealignmentCommand => ({ type: 'votes.weighed', fraction, threshold, isByVote })

/** Runs commands from the start. */
function after(...commands: RealignmentCommand[]) {
  let progress: RealignmentProgress = REALIGNMENT_START
  const tasks: string[] = []
  for (const command of commands) {
    const decision = nextRealignment(progress, command)
    progress = decision.progress
    tasks.push(...decision.tasks)
  }
  return { ...progress, tasks }
}

const FOUND: RealignmentCommand = { type: 'consensus.found' }
const MISSED: RealignmentCommand = { type: 'consensus.missed' }
const PULLED: RealignmentCommand = { type: 'clusters.pulled' }
const WITHDRAWN: RealignmentCommand = { type: 'consensus.withdrawn' }

t.test('every state and every transition, is reached', async (t) => {
  // The last one is the machine's own, which a walk does not see it raise.
  const events = [weighed(0.9), weighed(0.1), FOUND, MISSED, PULLED, WITHDRAWN, { type: 'realignment.wanted' } as const]
  const { states, missed } = walk(realignmentMachine, { events })
  t.same(states, ['votes', 'votes.agreed', 'votes.divided', 'work', 'work.gathering', 'work.idle', 'work.outdated', 'work.pulling'])
  t.same(missed, [])
})

t.test('votes that exceed the threshold, ask for one realignment until they have been divided again', async (t) => {
  t.same(after(weighed(0.5)), { votes: 'divided', work: 'idle', tasks: [] })
  t.same(after(weighed(0.6)), { votes: 'agreed', work: 'gathering', tasks: ['count', 'gather'] })
  t.same(after(weighed(0.6), weighed(0.9), weighed(0.7)).tasks, ['count', 'gather'])
  t.same(after(weighed(0.6), FOUND, PULLED, weighed(0.5), weighed(0.6)).tasks, ['count', 'gather', 'pull', 'count', 'gather'])
})

t.test('a consensus that nobody voted for, is none; one that time has ended, is over', async (t) => {
  t.same(after(weighed(1, false)), { votes: 'divided', work: 'idle', tasks: [] })
  t.same(after(weighed(1), weighed(0.2, false)).votes, 'divided')
  t.same(after(weighed(1), weighed(0.9, false)).votes, 'agreed')
})

t.test('a realignment, gathers, then pulls, then rests', async (t) => {
  t.same(after(weighed(1), FOUND), { votes: 'agreed', work: 'pulling', tasks: ['count', 'gather', 'pull'] })
  t.same(after(weighed(1), FOUND, PULLED).work, 'idle')
  t.same(after(weighed(1), MISSED).work, 'idle')
})

t.test('a crossing while the clusters are asked, is served by their answers', async (t) => {
  t.same(after(weighed(1), weighed(0), weighed(1), FOUND, PULLED), { votes: 'agreed', work: 'idle', tasks: ['count', 'gather', 'count', 'pull'] })
})

t.test('a crossing while they are pulled, is followed by another realignment', async (t) => {
  const commands = [weighed(1), FOUND, weighed(0), weighed(1), weighed(0), weighed(1), PULLED, FOUND, PULLED]
  t.same(after(...commands), { votes: 'agreed', work: 'idle', tasks: ['count', 'gather', 'pull', 'count', 'count', 'gather', 'pull'] })
})

t.test('a consensus that is withdrawn, is looked for again', async (t) => {
  t.same(after(weighed(1), WITHDRAWN).tasks, ['count', 'gather', 'gather'])
  t.same(after(weighed(1), FOUND, WITHDRAWN), { votes: 'agreed', work: 'gathering', tasks: ['count', 'gather', 'pull', 'gather'] })
  t.same(after(WITHDRAWN), { votes: 'divided', work: 'idle', tasks: [] })
})

t.test('whatever happens, realignments are counted as often as votes rise over the threshold', async () => {
  const command = fc.oneof(
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()).map(([fraction, isByVote]) => weighed(fraction, isByVote)),
    fc.constantFrom(FOUND, MISSED, PULLED, WITHDRAWN),
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
      let isAgreed = false
      let crossings = 0
      for (const one of commands) {
        if (one.type !== 'votes.weighed') continue
        if (!isAgreed && one.isByVote && one.fraction > 0.5) {
          isAgreed = true
          crossings += 1
        } else if (one.fraction <= 0.5) isAgreed = false
      }
      return after(...commands).tasks.filter((task) => task === 'count').length === crossings
    }),
  )
})
