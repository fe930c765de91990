import t from 'tap'
import { inOneGo } from '../../../src/domain/pieces.js'
import { textInSlices } from '../../../src/http/contract/text-in-slices.js'

t.test('each piece of a text is made in a turn of its own, and what is empty is no piece of it', async (t) => {
  const made: string[] = []
  function* pieces(): Generator<string, string> {
    for (const piece of ['', 'first', '', '', 'second', '']) {
      made.push(piece)
      yield piece
    }
    return 'sum'
  }
  let turns = 0
  const text = textInSlices(pieces(), async (work) => {
    turns += 1
    return inOneGo(work)
  })
  t.same(made, [], 'nothing is made before it is asked for')
  t.strictSame(await text.next(), { done: false, value: 'first' })
  t.same([turns, made.length], [2, 2], 'and no more than that')
  t.strictSame(await text.next(), { done: false, value: 'second' })
  t.strictSame(await text.next(), { done: true, value: 'sum' })
  t.equal(turns, 7)
})
