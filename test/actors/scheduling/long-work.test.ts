import t from 'tap'
import { createLongWork } from '../../../actors/scheduling/long-work.js'

/** Long work of one subject, of which four go on at a time: the first four begin at once. */
function fourUnderWay() {
  const longWork = createLongWork()
  const begun: string[] = []
  const enter = (name: string, signal?: AbortSignal) => longWork.enter('a', () => void begun.push(name), signal)
  for (let n = 0; n < 4; n++) enter('first')
  begun.length = 0
  return { enter, leave: () => longWork.leave('a'), begun }
}

t.test('waiting work begins in the order of its jobs, and of one job in the order in which it came', (t) => {
  const { enter, leave, begun } = fourUnderWay()
  const jobs = Array.from({ length: 3 }, () => new AbortController().signal)
  const parts: [string, number][] = [
    ['a1', 0],
    ['b1', 1],
    ['c1', 2],
    ['b2', 1],
    ['a2', 0],
    ['a3', 0],
    ['c2', 2]
  ]
  for (const [name, job] of parts) enter(name, jobs[job])
  enter('without a job')
  t.same(begun, [])
  for (let n = 0; n < 8; n++) leave()
  t.same(begun, ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'without a job'])
  t.end()
})

t.test('work that is given up begins at once, to end, and the rest keeps its order', (t) => {
  const { enter, leave, begun } = fourUnderWay()
  const given = new AbortController()
  for (const name of ['one', 'two']) enter(name)
  enter('given up', given.signal)
  enter('three')
  given.abort()
  t.same(begun, ['given up'])
  leave()
  t.same(begun, ['given up'], 'it took a place of its own')
  for (let n = 0; n < 3; n++) leave()
  t.same(begun, ['given up', 'one', 'two', 'three'])
  enter('too late', given.signal)
  t.equal(begun.at(-1), 'too late')
  t.end()
})
