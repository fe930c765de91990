import t from 'tap'
import { Topics } from '../../../../actors/session/record/topics.js'
import { memoryEntry } from '../../../support/memories.js'

const DIMENSION = 3

t.test('a topic of one memory holds its vector, where it lies now, and one of several the sum', async (t) => {
  const shared = Float32Array.of(0.6, 0.8, 0, 0, 0, 1)
  const first = memoryEntry(1, 'red', { turn: 1, vectors: shared.subarray(0, DIMENSION) })
  const second = memoryEntry(2, 'green', { turn: 1, vectors: shared.subarray(DIMENSION) })
  const topics = new Topics(DIMENSION)
  topics.add(first)
  t.equal(topics.list()[0]?.sum, first.memory.vectors)

  const vectors = first.memory.vectors.slice()
  topics.rehouse(first, vectors)
  t.equal(topics.list()[0]?.sum, vectors, 'nothing is left of what it lay with')

  topics.add(second)
  const sum = topics.list()[0]?.sum
  t.same([...(sum ?? [])], [...vectors.subarray(0, 2), 1])
  topics.rehouse(second, second.memory.vectors.slice())
  t.equal(topics.list()[0]?.sum, sum)
  t.same(topics.members(0), [first.memory.id, second.memory.id])

  topics.remove(first)
  topics.remove(second)
  t.same(topics.list(), [])
  t.same(topics.members(0), [])
})

t.test('a topic does not hold the vector of a memory that counts for a part', async (t) => {
  const entry = memoryEntry(1, 'red', { turn: 1, vectors: Float32Array.of(1, 0, 0) })
  const topics = new Topics(DIMENSION)
  topics.add({ ...entry, stats: { ...entry.stats, share: 0.5 } })
  t.same(topics.list(), [{ id: 0, sum: Float64Array.of(0.5, 0, 0), size: 1 }])
})

t.test('a memory that was given outside of any turn, or of which isolation left nothing, belongs to no topic', async (t) => {
  const topics = new Topics(DIMENSION)
  const vectors = Float32Array.of(1, 0, 0)
  const given = memoryEntry(1, 'red', { turn: 0, vectors })
  const blocked = memoryEntry(2, 'green', { turn: 1, vectors })
  const entries = [given, { ...blocked, stats: { ...blocked.stats, share: 0 } }]
  for (const entry of entries) topics.add(entry)
  t.same(topics.list(), [])
  const said = memoryEntry(3, 'blue', { turn: 1, vectors })
  topics.add(said)
  for (const entry of entries) topics.remove(entry)
  t.same(topics.members(0), [said.memory.id])
})
