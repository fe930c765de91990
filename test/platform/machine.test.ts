import { totalmem } from 'node:os'
import t from 'tap'
import { readAllowances } from '../../src/platform/machine.js'

const GIB = 1024 ** 3

const bytesOf = (options: { memoryLimitBytes?: number; workers?: number; eventsMax?: number }) => {
  const { memoryLimitBytes, workers = 1, eventsMax = 0 } = options
  const { actors, work, tracesBytes } = readAllowances({ memoryLimitBytes, workers, eventsMax })
  return { heap: actors.heap + work.heap, total: actors.total + work.total, tracesBytes }
}

t.test('what an operator grants is shared by the workers', async (t) => {
  t.strictSame(bytesOf({ memoryLimitBytes: 4 * GIB, workers: 4 }), bytesOf({ memoryLimitBytes: GIB }))
})

t.test('debug events have a part of what is granted, and of the heap, only where there are any', async (t) => {
  const without = bytesOf({ memoryLimitBytes: GIB })
  const traced = bytesOf({ memoryLimitBytes: GIB, eventsMax: 2_048 })
  t.equal(without.tracesBytes, 0)
  t.equal(traced.tracesBytes, 64 * 1024 ** 2)
  t.ok(traced.total < without.total)
  t.ok(traced.heap < without.heap)
})

t.test('a process to which nothing is granted leaves a part of its machine or container to others', async (t) => {
  const constrained = process.constrainedMemory()
  const machine = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  const { total } = bytesOf({})
  t.ok(total > 0 && total < machine)
  t.ok(total < bytesOf({ memoryLimitBytes: machine }).total)
  t.ok(total > bytesOf({ memoryLimitBytes: 0.8 * machine }).total)
})
