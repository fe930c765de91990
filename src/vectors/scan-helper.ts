/** The main thread's side of the thread that helps with scans. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { SharedMemory } from '../domain/kernel.js'
import type { Logger } from '../ports.js'
import { blocksOf } from './rows.js'
import {
  type Area,
  areaBytes,
  areaOf,
  type AreaSize,
  endScan,
  type Found,
  foundIn,
  isDone,
  isHeld,
  openScan,
  type ScanTask,
  takeSlab,
  writeSlabs
} from './scan-job.js'

/**
 * Bytes of rounded vectors from which a scan is announced: those of 9,500 memories of 384 numbers. Telling the helper takes .04 ms, and a
 * scan that goes on behind a search by words takes .28 ms instead of .61; one of 2,500 memories .24 instead of .36.
 */
const BYTES_MIN = 3.5 * 2 ** 20

/** Scans that the helper is told of at a time. */
const SCANS_MAX = 4
/** Room to spare in an area, as a share: a session grows with each run. */
const SPARE = 1 / 4

export type HelperMessage =
  | { readonly type: 'memory'; readonly id: number; readonly memory: SharedMemory }
  | { readonly type: 'released'; readonly id: number }
  | { readonly type: 'area'; readonly id: number; readonly buffer: SharedArrayBuffer; readonly size: AreaSize }
  | { readonly type: 'scan'; readonly area: number }

export interface HelperThread {
  post(message: HelperMessage): void
  close(): Promise<unknown>
}

/** A scan as the main thread sees it. */
export interface ScanJob {
  /** Takes a slab, which the helper then does not scan; null when none is left. */
  take(): number | null
  /** What the helper has found by now of a slab and of those that follow without a gap; null: not all of it. Valid until the scan ends. */
  found(slab: number): Found | null
  /** Ends it: the helper takes no more slabs, and what it found is gone. More than once is fine. */
  end(): void
}

export interface ScanHelper {
  /** Bytes of rounded vectors below which a scan is not to be announced. */
  readonly bytesMin: number
  /** Starts a scan, if there is help for it, in the background. Never waits. */
  announce(task: ScanTask): ScanJob | null
  /** Tells that no later scan reads a memory, so that it can be freed. */
  release(memory: SharedMemory): void
  close(): Promise<void>
}

interface HelperOptions {
  readonly logger: Pick<Logger, 'error'>
  /** Default: BYTES_MIN. */
  readonly bytesMin?: number
  /** Starts the thread; `ended` is called once it has ended. Default: `startScanThread`, or none without a second processor. */
  readonly start?: ((ended: (code: string) => void) => HelperThread) | null
}

/** An area with the scan that it is for. */
interface Lease {
  readonly id: number
  readonly area: Area
  job: ScanJob | null
  /** Whose slabs the area knows: writing them takes longer than all else that the helper is told. */
  known: Pick<ScanTask, 'slabs' | 'layout'> & { readonly count: number }
}

const NO_SLABS: Lease['known'] = { slabs: [], layout: -1, count: 0 }

/**
 * Creates the side that tells the thread of scans. The thread starts with the first one. Both threads take slabs from one counter. The main
 * thread also scans what the helper has taken and not finished: it never waits. A helper that is slow, busy or gone costs its help alone.
 */
export function createScanHelper({ logger, bytesMin = BYTES_MIN, start = defaultStart() }: HelperOptions): ScanHelper {
  /** By which the thread knows memories. */
  const numbers = new Map<SharedMemory, number>()
  let leases: Lease[] = []
  let nextId = 0
  /** Null when there is none, and none will be. */
  let thread: HelperThread | null | undefined

  function lose(): void {
    thread = null
    leases = []
    numbers.clear()
  }
  function ended(code: string): void {
    // One that was closed is gone already.
    if (thread !== null) logger.error({ code }, 'The thread that helps with searches ended')
    lose()
  }
  function started(): HelperThread | null {
    if (thread !== undefined || start === null) return thread ?? null
    try {
      thread = start(ended)
    } catch (error) {
      // No further thread may be created: there is no help then, and every search goes on without.
      ended(codeOf(error))
    }
    return thread ?? null
  }
  function numberOf(memory: SharedMemory, told: HelperThread): number {
    const known = numbers.get(memory)
    if (known !== undefined) return known
    const id = nextId++
    numbers.set(memory, id)
    told.post({ type: 'memory', id, memory })
    return id
  }
  /** A lease that nobody uses; null when the helper has enough to do. */
  function leaseFor(size: AreaSize, told: HelperThread): Lease | null {
    const isIdle = ({ area }: Lease): boolean => !isHeld(area)
    const free = leases.find((lease) => lease.job === null && isIdle(lease))
    // A scan that was announced and never asked for keeps its area until another one needs it.
    const found = free ?? (leases.length < SCANS_MAX ? undefined : leases.find(isIdle))
    if (found === undefined && leases.length === SCANS_MAX) return null
    found?.job?.end()
    if (found !== undefined && fits(size, found.area.size)) return found
    const roomy = roomFor(size, found?.area.size)
    const buffer = new SharedArrayBuffer(areaBytes(roomy))
    const lease: Lease = { id: found?.id ?? nextId++, area: areaOf(buffer, roomy), job: null, known: NO_SLABS }
    leases = [...leases.filter((other) => other !== found), lease]
    told.post({ type: 'area', id: lease.id, buffer, size: roomy })
    return lease
  }

  return {
    bytesMin,
    announce(task) {
      const told = started()
      if (told === null) return null
      const lease = leaseFor(sizeOf(task), told)
      if (lease === null) return null
      if (!isKnown(task, lease)) writeSlabs(lease.area, task, (memory) => numberOf(memory, told))
      lease.known = { slabs: task.slabs, layout: task.layout, count: task.slabs.length }
      openScan(lease.area, task)
      told.post({ type: 'scan', area: lease.id })
      return (lease.job = createJob(lease))
    },
    release(memory) {
      const id = numbers.get(memory)
      if (id === undefined) return
      numbers.delete(memory)
      thread?.post({ type: 'released', id })
    },
    async close() {
      const ending = thread
      lose()
      await ending?.close()
    }
  }
}

function isKnown({ slabs, layout }: ScanTask, { known }: Lease): boolean {
  return known.slabs === slabs && known.layout === layout && known.count === slabs.length
}

function sizeOf({ slabs, rows, places, numbers }: ScanTask): AreaSize {
  return { slabs: slabs.length, places, blocks: blocksOf(places, rows), numbers }
}

function fits(size: AreaSize, room: AreaSize): boolean {
  return size.slabs <= room.slabs && size.places <= room.places && size.blocks <= room.blocks && size.numbers <= room.numbers
}

/** At least as large as the area that it replaces, so that sessions of several shapes can take turns with it. */
function roomFor(size: AreaSize, former: AreaSize = { slabs: 0, places: 0, blocks: 0, numbers: 0 }): AreaSize {
  const roomy = (count: number, before: number): number => Math.max(before, Math.ceil(count * (1 + SPARE)))
  return {
    slabs: roomy(size.slabs, former.slabs),
    places: roomy(size.places, former.places),
    blocks: roomy(size.blocks, former.blocks),
    numbers: Math.max(size.numbers, former.numbers)
  }
}

function createJob(lease: Lease): ScanJob {
  const { area } = lease
  let isOpen = true
  return {
    take: () => (isOpen ? takeSlab(area) : null),
    found(slab) {
      let end = slab
      while (isOpen && isDone(area, end)) end += 1
      return end === slab ? null : foundIn(area, slab, end)
    },
    end() {
      if (!isOpen) return
      isOpen = false
      lease.job = null
      endScan(area)
    }
  }
}

function defaultStart(): typeof startScanThread | null {
  return availableParallelism() > 1 ? startScanThread : null
}

/** Starts the thread. It keeps no process alive. */
export function startScanThread(ended: (code: string) => void): HelperThread {
  const worker = new Worker(...threadProgram('./scan-main'))
  let failure = codeOf(null)
  worker.on('error', (error) => {
    failure = codeOf(error)
  })
  worker.on('exit', () => ended(failure))
  worker.unref()
  return { post: (message) => worker.postMessage(message), close: () => worker.terminate() }
}

/** What is logged of an error: its message might name what was read. */
function codeOf(error: unknown): string {
  return (error as { readonly code?: string } | null)?.code ?? 'THREAD_ENDED'
}

/** Locates the module next to this one, compiled or not. */
function threadProgram(name: string): ConstructorParameters<typeof Worker> {
  // The thread gets no settings or secrets of the service.
  const options = { env: {}, execArgv: [] }
  if (!import.meta.url.endsWith('.ts')) return [new URL(`${name}.js`, import.meta.url), options]
  // When run from TypeScript the thread has to register the loader itself: `--import` applies only to the main thread.
  const program = JSON.stringify(new URL(`${name}.ts`, import.meta.url).href)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return [`import(${loader}).then(({ register }) => { register(); return import(${program}) })`, { ...options, eval: true }]
}
