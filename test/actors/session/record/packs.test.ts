import t from 'tap'
import { createPacks, touchPack } from '../../../../actors/session/record/packs.js'

t.test('a memory is in the pack whose first and last seq it lies between, both included, and is noted there once', async (t) => {
  const list = [
    { from: 1, to: 4 },
    { from: 7, to: 7 },
    { from: 9, to: 12 }
  ]
  const packs = createPacks(list, 14)
  t.equal(packs.storedSeq, 14)
  const packed = Array.from({ length: 15 }, (_, seq) => seq).filter((seq) => touchPack(packs, seq))
  t.same(packed, [1, 2, 3, 4, 7, 9, 10, 11, 12])
  t.same([...packs.touched], list)
})

t.test('a session without packs has no memory in one', async (t) => {
  const packs = createPacks()
  t.notOk(touchPack(packs, 0))
  t.same([...packs.touched], [])
  t.equal(packs.storedSeq, 0)
})
