import fc from 'fast-check'
import t from 'tap'
import { Sequence } from '../../src/retrieval/sequence.js'

t.test('order and neighbours equal those of a sorted list, after any adding and removing', async () => {
  const step = fc.record({ seq: fc.integer({ min: 1, max: 12 }), isAdded: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const sequence = new Sequence()
      const held = new Map<number, number>()
      for (const { seq, isAdded } of steps) {
        if (!isAdded) {
          sequence.remove(seq)
          held.delete(seq)
        } else if (!held.has(seq)) {
          // Documents are numbers of their own, reused when free.
          const document = 20 - seq
          sequence.add(seq, document)
          held.set(seq, document)
        }
      }
      const sorted = [...held].sort(([a], [b]) => a - b).map(([, document]) => document)
      t.same([...sequence.after(-Infinity)], sorted)
      t.same([...sequence.before(Infinity)], [...sorted].reverse())
      t.same(
        sequence.order().documents.filter((document) => document >= 0),
        sorted
      )
      const { previous, next } = sequence.links()
      sorted.forEach((document, index) => {
        t.equal(previous[document], sorted[index - 1] ?? -1)
        t.equal(next[document], sorted[index + 1] ?? -1)
      })
      for (const links of [previous, next]) t.ok(links.every((other, document) => other === -1 || sorted.includes(document)))
    })
  )
})

t.test('documents are known to have the numbers of their places as long as they do', async (t) => {
  const sequence = new Sequence()
  const check = (isNumbered: boolean, name: string) => t.equal(sequence.order().isNumbered, isNumbered, name)
  check(true, 'none')
  for (let document = 0; document < 10; document++) sequence.add(2 * document, document)
  check(true, 'each was added behind the others')
  sequence.remove(18)
  check(false, 'one is gone')
  for (const seq of [16, 14, 12, 10, 8]) sequence.remove(seq)
  check(true, 'those that are left stand together')
  sequence.add(3, 4)
  check(false, 'one came in between')
  sequence.clear()
  sequence.add(5, 1)
  check(false, 'a number is missing')
  sequence.clear()
  check(true, 'none again')
})

t.test('a place that is taken is refused', async (t) => {
  const sequence = new Sequence()
  sequence.add(1, 0)
  t.throws(() => sequence.add(1, 1), RangeError)
})
