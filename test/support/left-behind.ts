/** How much of what is done again and again stays in memory until the next full collection, though nobody holds it any more. */
import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

const WARM_TIMES = 10
const TIMES = 40

/** Bytes of typed arrays that each of 40 times leaves behind, with a collection of young objects after it. */
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
