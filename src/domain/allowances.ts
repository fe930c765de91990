/** How the memory of a process is shared out. */
import { totalOf, type Weight } from './weight.js'

/** Bytes, of V8's heap alone and of everything. */
export interface Allowance {
  readonly heap: number
  readonly total: number
}

export interface Allowances {
  /** What actors may hold between requests. */
  readonly actors: Allowance
  /** What is under way may hold: bodies of requests, vectors on their way into a record, answers that are not read yet. */
  readonly work: Allowance
}

/** Bytes that the process takes before any session: program, runtime, caches, pools. 130 MB were measured of a node over PostgreSQL. */
const RUNTIME_BYTES = 160 * 1024 * 1024

/** Of V8's heap, before any session: some 40 MB were measured. */
const RUNTIME_HEAP_BYTES = 64 * 1024 * 1024

/**
 * Share of the rest that is counted out. What is left is for garbage that is not collected yet, commits being encoded and records being
 * read.
 */
const COUNTED_SHARE = 0.6

/** Share of V8's heap: a heap that is nearly full is collected again and again. */
const HEAP_SHARE = 0.65

/** A small process still does something: at least this share of all its memory is counted out. */
const COUNTED_SHARE_MIN = 0.2

/** Of what is counted out: so full actors do not keep requests from being answered, and requests do not evict actors. */
const WORK_SHARE = 0.25

/** Of the machine or container: for the system, a storage or a proxy beside the process. */
const OTHERS_SHARE = 0.1

/** Bytes that the debugger's events take at most, and their share of what the process may take: for a thousand turns of some subjects. */
const TRACES_BYTES_MAX = 64 * 1024 * 1024
const TRACES_SHARE = 1 / 16

/** Bytes that a connection takes at most beside its requests: all of its headers, before they are looked at. */
const CONNECTION_BYTES_MAX = 64 * 1024

/** Connections that a process of any size keeps. */
const CONNECTIONS_MIN = 256

/** Bytes of debug events, out of what the process may take. */
export function tracesBytesOf(limitBytes: number): number {
  return Math.floor(Math.min(TRACES_BYTES_MAX, limitBytes * TRACES_SHARE))
}

/** Connections without a request under way: those which never get to one take no more than work may. */
export function connectionsOf({ work }: Pick<Allowances, 'work'>): number {
  return Math.max(CONNECTIONS_MIN, Math.floor(work.total / CONNECTION_BYTES_MAX))
}

/** What the process takes at most when nobody says: the memory of its container or machine, less a tenth. */
export function defaultLimitBytes(machineBytes: number): number {
  return Math.floor(machineBytes * (1 - OTHERS_SHARE))
}

/** `limitBytes` is what the process may take of the machine, `heapLimitBytes` what V8 gives its heap. */
export function allowancesOf({ limitBytes, heapLimitBytes }: { readonly limitBytes: number; readonly heapLimitBytes: number }): Allowances {
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

/** What of it is left beside `weight`. */
export function without({ heap, total }: Allowance, weight: Weight): Allowance {
  return { heap: heap - weight.heap, total: total - totalOf(weight) }
}
