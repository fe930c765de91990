import fc from 'fast-check'
import t from 'tap'
import { FEW_MEMBERS_MAX, Topics } from '../../../../actors/session/record/topics.js'
import { addMember, emptySegment } from '../../../../src/domain/drift/topic-segments.js'
import type { MemoryEntry } from '../../../../src/domain/session.js'
import { memoryEntry } from '../../../support/memories.js'

const DIMENSION = 3
/** Bytes of a sum. */
const SUM_BYTES = 8 * DIMENSION
/** Segment of the members that make a session one of many. */
const OTHER = 9

interface Held {
  readonly topics: Topics
  add(entry: MemoryEntry): void
  remove(entry: MemoryEntry): void
}

/** Topics of a session that holds the memories, with as many others as is asked. */
function createHeld(others = 0): Held {
  const corpus = new Map<string, MemoryEntry>()
  const topics = new Topics(DIMENSION, corpus)
  const held: Held = {
    topics,
    add(entry) {
      corpus.set(entry.memory.id, entry)
      topics.add(entry)
    },
    remove(entry) {
      topics.remove(entry)
      corpus.delete(entry.memory.id)
    }
  }
  for (let at = 0; at < others; at++) held.add(memberOf(1_000 + at, OTHER, [0, 0, 1]))
  return held
}

function memberOf(seq: number, segment: number, vector: readonly number[], share?: number): MemoryEntry {
  const { memory, stats } = memoryEntry(seq, `text ${String(seq)}`, { turn: 1, vectors: Float32Array.from(vector) })
  return { memory, stats: { ...stats, segment, ...(share !== undefined && { share }) } }
}

t.test('topics are the sums of their members, of few and of many, after any adding and removing', async (t) => {
  const step = fc.record({
    segment: fc.integer({ min: 0, max: 3 }),
    share: fc.constantFrom(undefined, 0.5),
    isGone: fc.nat(3).map((chance) => chance === 0)
  })
  const component = fc.double({ min: -1, max: 1, noNaN: true })
  const steps = fc.array(fc.record({ step, vector: fc.tuple(component, component, component) }), { minLength: 20, maxLength: 60 })
  const sizes = new Set<boolean>()
  fc.assert(
    fc.property(steps, fc.constantFrom(0, FEW_MEMBERS_MAX - 1), (steps, others) => {
      const { topics, add, remove } = createHeld(others)
      const left = Array.from({ length: others }, (_, at) => memberOf(1_000 + at, OTHER, [0, 0, 1]))
      for (const [at, { step, vector }] of steps.entries()) {
        const [first] = left
        if (step.isGone && first !== undefined) remove(left.shift() as MemoryEntry)
        else {
          left.push(memberOf(1 + at, step.segment, vector, step.share))
          add(left.at(-1) as MemoryEntry)
        }
        sizes.add(left.length > FEW_MEMBERS_MAX)
        if (left.length <= FEW_MEMBERS_MAX && topics.bytes() > 0) throw new Error('few members have sums')
      }
      const found = [...topics.list()].sort((a, b) => a.id - b.id)
      const ids = [...new Set(left.map(({ stats }) => stats.segment))].sort((a, b) => a - b)
      t.same(
        found.map(({ id, size }) => ({ id, size })),
        ids.map((id) => ({ id, size: left.filter(({ stats }) => stats.segment === id).length }))
      )
      for (const { id, sum } of found) {
        const own = left.filter(({ stats }) => stats.segment === id)
        const vectors = own.map(({ memory, stats }) => memory.vectors.map((value) => value * (stats.share ?? 1)))
        const expected = vectors.reduce(addMember, emptySegment(id, DIMENSION)).sum
        t.ok(sum.every((value, at) => Math.abs(value - (expected[at] as number)) < 1e-9))
      }
    }),
    { numRuns: 50 }
  )
  t.equal(sizes.size, 2, 'few and many were seen')
})

t.test('a session of few members keeps no sums, and takes no more than was said once it has more', async (t) => {
  const { topics, add, remove } = createHeld()
  const members = Array.from({ length: FEW_MEMBERS_MAX + 1 }, (_, at) => memberOf(1 + at, at % 2, [1, 0, 0]))
  for (const member of members.slice(0, -1)) add(member)
  t.equal(topics.bytes(), 0)
  t.equal(topics.spreadBytes(), 2 * SUM_BYTES)
  add(members.at(-1) as MemoryEntry)
  t.equal(topics.bytes(), 2 * SUM_BYTES)
  t.equal(topics.spreadBytes(), 0)
  remove(members[0] as MemoryEntry)
  t.equal(topics.bytes(), 0, 'as if it had never had more')
})

t.test('a topic of one memory among many holds its vector, where it lies now, and one of several the sum', async (t) => {
  const shared = Float32Array.of(0.6, 0.8, 0, 0, 0, 1)
  const first = memoryEntry(1, 'red', { turn: 1, vectors: shared.subarray(0, DIMENSION) })
  const second = memoryEntry(2, 'green', { turn: 1, vectors: shared.subarray(DIMENSION) })
  const { topics, add, remove } = createHeld(FEW_MEMBERS_MAX)
  const sumOf = (id: number) => topics.list().find((segment) => segment.id === id)?.sum
  add(first)
  t.equal(sumOf(0), first.memory.vectors)

  const vectors = first.memory.vectors.slice()
  topics.rehouse(first, vectors)
  t.equal(sumOf(0), vectors, 'nothing is left of what it lay with')

  add(second)
  const sum = sumOf(0)
  t.same([...(sum ?? [])], [...vectors.subarray(0, 2), 1])
  topics.rehouse(second, second.memory.vectors.slice())
  t.equal(sumOf(0), sum)
  t.same(topics.members(0), [first.memory.id, second.memory.id])

  remove(first)
  remove(second)
  t.equal(sumOf(0), undefined)
  t.same(topics.members(0), [])
})

t.test('a topic does not hold the vector of a memory that counts for a part', async (t) => {
  for (const others of [0, FEW_MEMBERS_MAX]) {
    const { topics, add } = createHeld(others)
    add(memberOf(1, 0, [1, 0, 0], 0.5))
    t.same(
      topics.list().filter(({ id }) => id === 0),
      [{ id: 0, sum: Float64Array.of(0.5, 0, 0), size: 1 }]
    )
  }
})

t.test('a memory that was given outside of any turn, or of which isolation left nothing, belongs to no topic', async (t) => {
  const { topics, add, remove } = createHeld()
  const vectors = Float32Array.of(1, 0, 0)
  const given = memoryEntry(1, 'red', { turn: 0, vectors })
  const blocked = memoryEntry(2, 'green', { turn: 1, vectors })
  const entries = [given, { ...blocked, stats: { ...blocked.stats, share: 0 } }]
  for (const entry of entries) add(entry)
  t.same(topics.list(), [])
  const said = memoryEntry(3, 'blue', { turn: 1, vectors })
  add(said)
  for (const entry of entries) remove(entry)
  t.same(topics.members(0), [said.memory.id])
})
