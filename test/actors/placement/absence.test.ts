import t from 'tap'
import { createAbsenceCheck } from '../../../actors/placement/absence.js'
import { questionsTopic } from '../../../actors/placement/topics.js'
import { DomainError } from '../../../src/domain/errors.js'
import { createManualClock } from '../../support/manual-clock.js'

const NAME = { nodeId: 'b', incarnation: 'b1' }
const nobody = () => Promise.reject(new DomainError('unreachable', 'Nobody answers here'))

/** `checks`: successive answers of the broker. */
function start(request: () => Promise<unknown>, checks: readonly boolean[] = [true, true]) {
  const clock = createManualClock()
  const confirmed: unknown[] = []
  const asked: unknown[] = []
  const answers = [...checks]
  const ask = createAbsenceCheck({
    bus: {
      check: () => (answers.shift() === true ? Promise.resolve() : nobody()),
      request(topic, body, { deadlineMs }) {
        asked.push([topic, body, deadlineMs])
        return request()
      }
    },
    clock,
    confirmed: (name) => confirmed.push(name)
  })
  return { clock, confirmed, asked, ask }
}

t.test('nobody is at a node when the broker answers, knows of nobody there, and answers again', async (t) => {
  const { clock, confirmed, asked, ask } = start(nobody)
  ask(NAME)
  await clock.advance(249)
  t.same(asked, [])
  await clock.advance(1)
  t.same(asked, [[questionsTopic(NAME), { type: 'node.ping' }, 1_000]])
  t.same(confirmed, [NAME])
})

t.test('somebody may be there when he answers, is late, or nothing is heard of the broker', async (t) => {
  const late = () => Promise.reject(new DomainError('deadline_passed', 'No answer came in time'))
  for (const [request, checks] of [
    [() => Promise.resolve(null), [true, true]],
    [late, [true, true]],
    [() => Promise.reject(new TypeError('unreachable')), [true, true]],
    [nobody, [false, true]],
    [nobody, [true, false]]
  ] as const) {
    const { clock, confirmed, ask } = start(request, checks)
    ask(NAME)
    await clock.advance(5_000)
    t.same(confirmed, [])
  }
})

t.test('one incarnation is looked for once at a time, and another one beside it', async (t) => {
  const { clock, confirmed, asked, ask } = start(nobody, [true, true, true, true, true, true])
  ask(NAME)
  ask(NAME)
  ask({ ...NAME, incarnation: 'b2' })
  await clock.advance(250)
  t.equal(asked.length, 2)
  t.same(confirmed, [NAME, { ...NAME, incarnation: 'b2' }])
  ask(NAME)
  await clock.advance(250)
  t.equal(asked.length, 3, 'and again later')
})
