/** Threads that help with scans, as tests need them. */
import type { SharedMemory } from '../../src/domain/kernel.js'
import { inOneGo } from '../../src/domain/pieces.js'
import type { CreateVectorIndex } from '../../src/ports.js'
import { createExactIndexes } from '../../src/vectors/exact-index.js'
import { createScanHelper, type HelperMessage, type HelperThread, type ScanHelper, type ScanJob } from '../../src/vectors/scan-helper.js'
import { type Area, areaOf, handOver, letGo, slabAt, takeSlab } from '../../src/vectors/scan-job.js'

/** A helper that takes every scan, however small. Without a thread of its own: `work` is done at once, while it is told of the scan. */
export function createPretended(work: (area: Area) => void) {
  const areas = new Map<number, Area>()
  const messages: HelperMessage[] = []
  const errors: object[] = []
  let end = (_code: string): void => undefined
  const thread: HelperThread = {
    post(message) {
      messages.push(message)
      if (message.type === 'area') areas.set(message.id, areaOf(message.buffer, message.size))
      if (message.type === 'scan') work(areas.get(message.area) as Area)
    },
    close: async () => end('CLOSED')
  }
  const helper = createScanHelper({
    logger: { error: (fields) => void errors.push(fields) },
    bytesMin: 0,
    start(ended) {
      end = ended
      return thread
    }
  })
  const count = (type: HelperMessage['type']): number => messages.filter((message) => message.type === type).length
  return { helper, areas, errors, count, end: (code: string) => end(code) }
}

/** Takes all slabs, and finds the lower places nearer, whatever lies there. */
export function lie(area: Area): void {
  for (let slab = takeSlab(area); slab !== null; slab = takeSlab(area)) {
    const { first, count } = slabAt(area, slab)
    const similarities = Float32Array.from({ length: count }, (_, row) => -first - row)
    handOver(area, slab, { similarities, greatest: similarities.slice(0, 1) })
  }
  letGo(area)
}

/** Takes some slabs, and is never heard of again. */
export function stall(area: Area): void {
  for (let slab = 0; slab < 2; slab++) takeSlab(area)
}

/**
 * Indexes with a helper, the jobs that it was given, the memories that it was told of, and those to let go of. `isAnnounced`: each search
 * is announced. Default: false.
 */
export function createHelped(helper: ScanHelper, { isAnnounced = false } = {}) {
  const jobs: (ScanJob | null)[] = []
  const memories = new Set<SharedMemory>()
  const released: SharedMemory[] = []
  const create = createExactIndexes({
    ...helper,
    announce(task) {
      for (const { memory } of task.slabs) memories.add(memory)
      const job = helper.announce(task)
      jobs.push(job)
      return job
    },
    release(memory) {
      released.push(memory)
      helper.release(memory)
    }
  })
  const announcing: CreateVectorIndex = (dimension) => {
    const index = create(dimension)
    const search = index.search.bind(index)
    index.search = (query, limit, accept) => {
      index.prepare?.(query)
      return search(query, limit, accept)
    }
    return index
  }
  return { create: isAnnounced ? announcing : create, jobs, memories, released }
}

export const DIMENSION = 16_384

/** A vector of equal numbers: the greater, the nearer to another one. Sixteen fill a slab. */
export function filled(value: number): Float32Array {
  return new Float32Array(DIMENSION).fill(value / 1_024)
}

/** An index of vectors of which the last label is the nearest to a positive one. */
export function ascending(create: CreateVectorIndex, size = 40) {
  const index = create(DIMENSION)
  for (let label = 0; label < size; label++) index.add(label, filled(label + 1))
  const nearest = (value: number): number | undefined => inOneGo(index.search(filled(value), 1))[0]?.label
  return { index, nearest }
}
