/** When each job of an actor runs: tests the order alone, with jobs that end when the test lets them. */
import t from 'tap'
import { addJob, createActivation, createEntry, type Job } from '../../../actors/runtime/entry.js'
import { createOrder } from '../../../actors/runtime/order.js'
import type { Processor } from '../../../actors/scheduling/processor.js'
import { createManualClock } from '../../support/manual-clock.js'

function start(count: number) {
  const clock = createManualClock()
  const activation = createActivation(createEntry({ kind: 'session', subject: 'tester', id: 'a' }, 0))
  activation.isOpen = true
  const jobs = Array.from({ length: count }, () => addJob(activation, {} as never, () => () => undefined))
  const sent: string[] = []
  const processor = {
    run(subject: string, work: () => void) {
      sent.push(subject)
      work()
    }
  } as Pick<Processor, 'run'> as Processor
  const ran: number[] = []
  const order = createOrder({ clock, processor, run: (_, job) => void ran.push(jobs.indexOf(job)) })
  return { clock, activation, ran, sent, order, ready: (at: number) => order.ready(activation, jobs[at] as Job) }
}

t.test('a job that is ready runs once, in the time of its subject, whatever happens before it is gone', async (t) => {
  const { activation, ran, sent, order, ready } = start(2)
  ready(0)
  order.advance(activation)
  ready(1)
  t.same(ran, [0, 1])
  t.same(sent, ['tester', 'tester'])
})

t.test('nothing is sent while the state is settled', async (t) => {
  const { activation, sent, ran, order, ready } = start(1)
  activation.isMidway = true
  ready(0)
  t.same(sent, [])
  activation.isMidway = false
  order.advance(activation)
  t.same(ran, [0])
})

t.test('a job waits three milliseconds for those before it, and no longer; one timer serves all', async (t) => {
  const { clock, ran, ready } = start(4)
  ready(1)
  await clock.advance(1)
  ready(2)
  t.equal(clock.pending, 1)
  await clock.advance(1)
  t.same(ran, [])
  await clock.advance(1)
  t.same(ran, [1])
  await clock.advance(1)
  t.same(ran, [1, 2])
  t.equal(clock.pending, 0)
  ready(3)
  ready(0)
  t.same(ran, [1, 2, 0, 3], 'the first one is ready now')
  t.equal(clock.pending, 0, 'and nothing is waited for')
})

t.test('a job that is ready too late for its actor, or was given up, does not run', async (t) => {
  const closed = start(1)
  closed.activation.isOpen = false
  closed.ready(0)
  t.same(closed.sent, [])
  const given = start(2)
  given.ready(1)
  given.activation.jobs = given.activation.jobs.slice(1)
  given.ready(0)
  t.same(given.sent, [], 'the other one is not looked at for it')
})
