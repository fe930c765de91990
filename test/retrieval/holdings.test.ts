import t from 'tap'
import { createHoldings, type Holdings, ofHash, putEntry, removeEntry } from '../../src/retrieval/holdings.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { DIMENSION, memoryEntry, NOON, partVectors } from '../support/memories.js'

const start = () => createHoldings({ dimension: DIMENSION, createVectorIndex: createExactIndexes() })
const idsOf = (holdings: Holdings, hash: string) => Array.from(ofHash(holdings, hash), ({ entry }) => entry.memory.id).sort()

t.test('memories that may expire, and those of several parts, are counted while they are there', (t) => {
  const holdings = start()
  const counts = () => [holdings.expiring, holdings.divided]
  putEntry(holdings, memoryEntry(1, 'stays'))
  putEntry(holdings, memoryEntry(2, 'expires', { expiresAt: NOON + 60 }))
  putEntry(holdings, memoryEntry(3, 'two parts', { partEnds: [3, 9], vectors: partVectors('two', 'parts') }))
  t.same(counts(), [1, 1])
  putEntry(holdings, memoryEntry(2, 'expires', { expiresAt: null }))
  t.same(counts(), [0, 1])
  for (const id of ['m1', 'm2', 'm3']) t.equal(removeEntry(holdings, id), true)
  t.same(counts(), [0, 0])
  t.end()
})

t.test('a memory that says something else is found by that, though its vectors are the same', (t) => {
  const holdings = start()
  const known = memoryEntry(1, 'roses')
  putEntry(holdings, known)
  putEntry(holdings, memoryEntry(1, 'tulips', { vectors: known.memory.vectors, partEnds: known.memory.partEnds }))
  t.same(idsOf(holdings, 'hash of tulips'), ['m1'])
  t.same(idsOf(holdings, 'hash of roses'), [])
  t.end()
})

t.test('memories of one text are found by it, whichever of them is removed', (t) => {
  const ids = ['m1', 'm2', 'm3']
  for (const gone of ids) {
    const holdings = start()
    for (const seq of [1, 2, 3]) putEntry(holdings, memoryEntry(seq, 'roses'))
    t.same(idsOf(holdings, 'hash of roses'), ids)
    removeEntry(holdings, gone)
    t.same(
      idsOf(holdings, 'hash of roses'),
      ids.filter((id) => id !== gone)
    )
    for (const id of ids) removeEntry(holdings, id)
    t.same(idsOf(holdings, 'hash of roses'), [])
    t.equal(holdings.alike.size, 0)
  }
  t.end()
})
