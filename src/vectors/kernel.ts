/** The kernels of `scan.wat` and `near.wat`. Positions are byte offsets into a kernel's memory. */
import { createKernels, createSharedKernels, type KernelMemory, type SharedMemory } from '../domain/kernel.js'
import { NEAR_KERNEL } from './near-kernel.js'
import { SCAN_KERNEL } from './scan-kernel.js'

/** Functions of `scan.wat`. */
interface ScanKernel {
  similarities(query: number, unit: number, rows: number, count: number, bytes: number, out: number): void
  greatest(at: number, end: number, out: number): void
  round(vector: number, count: number, row: number, step: number): readonly [left: number, all: number]
}

/** Functions of `near.wat`. */
interface NearKernel {
  greatest(at: number, end: number, lanes: number, lanesEnd: number): void
  reaching(at: number, end: number, least: number, place: number, out: number): number
  product(query: number, vector: number, end: number): number
}

export type NearMemory = KernelMemory<NearKernel>
export type ScanMemory = KernelMemory<ScanKernel, SharedMemory>

/** Instantiates the kernel over 1 to 256 pages. Throws RangeError when the machine is out of memory. */
export const createNearMemory = createKernels<NearKernel>(NEAR_KERNEL)
/** Instantiates the kernel over at most 259 shared pages. */
export const withScanKernel = createSharedKernels<ScanKernel>(SCAN_KERNEL)
