/** Program of the thread that helps with scans. Its messages are typed in `scan-helper.ts`. */
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { helperRoom } from './arena.js'
import { type ScanMemory, withScanKernel } from './kernel.js'
import type { HelperMessage } from './scan-helper.js'
import { writeGreatest } from './rows.js'
import { type Area, areaOf, handOver, letGo, slabAt, takeSlab } from './scan-job.js'

type Known = ScanMemory & ReturnType<typeof helperRoom>

// On Linux this is the priority of the thread, elsewhere that of the process. With an equal one it takes the processor of the main thread,
// which wakes it: telling it of a scan then takes .35 ms instead of .05.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const memories = new Map<number, Known>()
const areas = new Map<number, Area>()

parentPort?.on('message', (message: HelperMessage) => {
  if (message.type === 'memory') memories.set(message.id, { ...withScanKernel(message.memory), ...helperRoom(message.memory) })
  else if (message.type === 'released') memories.delete(message.id)
  else if (message.type === 'area') areas.set(message.id, areaOf(message.buffer, message.size))
  else scan(areas.get(message.area) as Area)
})

/** Scans slabs until none is left to take. The bytes may change meanwhile: then nobody asks for what is found. */
function scan(area: Area): void {
  const unit = area.unit[0] as number
  const loaded = new Set<Known>()
  for (let slab = takeSlab(area); slab !== null; slab = takeSlab(area)) {
    const { memory, at, count, numbers } = slabAt(area, slab)
    const known = memories.get(memory) as Known
    if (!loaded.has(known)) known.query.set(area.query.subarray(0, numbers))
    loaded.add(known)
    known.kernel.similarities(known.queryAt, unit, at, count, numbers, known.foundAt)
    handOver(area, slab, { similarities: known.found.subarray(0, count), greatest: writeGreatest(known, known.foundAt, count) })
  }
  // No copy of the query lingers.
  for (const { query } of loaded) query.fill(0)
  letGo(area)
}
