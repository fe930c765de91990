/** The kernel of `scan.wat`. */
import { createKernels, type KernelMemory } from '../domain/kernel.js'
import { SCAN_KERNEL } from './scan-kernel.js'

/** Functions of the kernel; see `scan.wat`. Positions are byte offsets into its memory. */
interface ScanKernel {
  similarities(query: number, unit: number, rows: number, count: number, bytes: number, out: number): void
  round(vector: number, count: number, row: number): readonly [left: number, all: number]
  product(query: number, vector: number, end: number): number
}

export type ScanMemory = KernelMemory<ScanKernel>

/** Instantiates the kernel over 1 to 256 pages. Throws RangeError when the machine is out of memory. */
export const createScanMemory = createKernels<ScanKernel>(SCAN_KERNEL)
