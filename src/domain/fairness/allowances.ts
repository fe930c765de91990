/** Divides the memory of a process between its users. */
import { totalOf, type Weight } from './weight.js'

/** Bytes of V8's heap, and in total. */
export interface Allowance {
  readonly heap: number
  readonly total: number
}

export interface ProcessMemory {
  /** Maximum bytes for the process. */
  readonly limitBytes: number
  /** Maximum bytes of V8's heap, above which V8 ends the process: `--max-old-space-size`, or V8's choice for this machine. */
  readonly heapLimitBytes: number
}

export interface Allowances {
  /** Budget of actors between requests. */
  readonly actors: Allowance
  /** Budget of work under way: request bodies, vectors on their way into a record, answers not read yet. */
  readonly work: Allowance
}

/** Bytes of the process before any session: program, runtime, caches, pools. A node over PostgreSQL was measured at 130 MB. */
const RUNTIME_BYTES = 160 * 1024 * 1024

/** V8 heap before any session; some 40 MB were measured. */
const RUNTIME_HEAP_BYTES = 64 * 1024 * 1024

/**
 * Share of the remaining memory that is given out. The rest is for garbage not collected yet, commits being encoded and records being read.
 */
const COUNTED_SHARE = 0.6

/** Share of V8's heap that is given out: a nearly full heap is collected over and over. */
const HEAP_SHARE = 0.65

/** Minimum share of all memory that is given out, so that a small process can do something. */
const COUNTED_SHARE_MIN = 0.2

/** Share of the memory given out that is for work. Separate budgets: full actors do not block answers, and requests do not evict actors. */
const WORK_SHARE = 0.25

/** Share of the machine or container left to the system, a storage or a proxy beside the process. */
const OTHERS_SHARE = 0.1

/**
 * Maximum number of subjects whose debug events are kept. Above it the log that is not followed and has been unused longest is evicted. If
 * all are followed, the one unused longest keeps no events, and its readers learn of a gap.
 */
export const TRACED_SUBJECTS_MAX = 64

/** Bytes of one debug event in memory: those of short turns were measured at 2,100 on average. */
const EVENT_BYTES = 2_304

/** Maximum bytes of all debug events, unless two logs of the length asked for take more: one of a subject, and that of nobody. */
const TRACES_BYTES_MAX = 128 * 1024 * 1024

/** Maximum shares of debug events in the process's memory and in V8's heap, where they lie. */
const TRACES_SHARE = 1 / 16
const TRACES_HEAP_SHARE = 1 / 8

/** Upper bound on the bytes of a connection without a request: all of its headers, before they are parsed. */
const CONNECTION_BYTES_MAX = 64 * 1024

/** Connections that a process of any size accepts. */
const CONNECTIONS_MIN = 256

/**
 * Bytes for debug events: what `eventsMax` of each subject, and of nobody, take, within their bounds. Where many subjects are traced, or
 * the process is small, fewer events of each fit.
 */
export function tracesBytesOf({ limitBytes, heapLimitBytes, eventsMax }: ProcessMemory & { readonly eventsMax: number }): number {
  const logBytes = eventsMax * EVENT_BYTES
  const wanted = Math.min(logBytes * (TRACED_SUBJECTS_MAX + 1), Math.max(TRACES_BYTES_MAX, logBytes * 2))
  return Math.floor(Math.min(wanted, limitBytes * TRACES_SHARE, heapLimitBytes * TRACES_HEAP_SHARE))
}

/** Maximum number of connections without a request under way, so that idle connections take at most the budget of work. */
export function connectionsOf({ work }: Pick<Allowances, 'work'>): number {
  return Math.max(CONNECTIONS_MIN, Math.floor(work.total / CONNECTION_BYTES_MAX))
}

/** Default memory limit of the process: the memory of its container or machine, less a tenth. */
export function defaultLimitBytes(machineBytes: number): number {
  return Math.floor(machineBytes * (1 - OTHERS_SHARE))
}

/** Computes the budgets. */
export function allowancesOf({ limitBytes, heapLimitBytes }: ProcessMemory): Allowances {
  const total = counted(limitBytes, RUNTIME_BYTES, COUNTED_SHARE)
  const heap = Math.min(total, counted(heapLimitBytes, RUNTIME_HEAP_BYTES, HEAP_SHARE))
  const share = (part: number): Allowance => ({ heap: Math.floor(heap * part), total: Math.floor(total * part) })
  return { actors: share(1 - WORK_SHARE), work: share(WORK_SHARE) }
}

function counted(bytes: number, reserve: number, share: number): number {
  return Math.max(bytes * COUNTED_SHARE_MIN, (bytes - reserve) * share)
}

export function isWithin(weight: Weight, { heap, total }: Allowance): boolean {
  return weight.heap <= heap && totalOf(weight) <= total
}

export function shareOf({ heap, total }: Allowance, share: number): Allowance {
  return { heap: heap * share, total: total * share }
}

/** The allowance less `weight`. */
export function remainingAfter({ heap, total }: Allowance, weight: Weight): Allowance {
  return { heap: heap - weight.heap, total: total - totalOf(weight) }
}
