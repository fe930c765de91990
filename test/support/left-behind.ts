/** Measures how much memory repeated work leaves behind until the next full garbage collection, although nothing references it. */
import { collect } from './garbage.js'

const WARM_TIMES = 10
const TIMES = 40

/** Bytes of typed arrays left by each of 40 repetitions, with a collection of the young generation after each. */
export async function bytesLeftBehind(work: (time: number) => unknown): Promise<number> {
  await repeat(work, WARM_TIMES)
  collect()
  const before = process.memoryUsage().arrayBuffers
  await repeat(work, TIMES)
  return (process.memoryUsage().arrayBuffers - before) / TIMES
}

async function repeat(work: (time: number) => unknown, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await work(time)
    collect({ type: 'minor' })
  }
}
