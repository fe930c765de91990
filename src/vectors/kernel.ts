/** The kernel of `scan.wat`: compiled once, instantiated over memory that it reads and writes. */
import { SCAN_KERNEL } from './scan-kernel.js'

/** The part of the WebAssembly API used here; the types of Node.js do not declare it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (module: object, imports: { readonly kernel: { readonly memory: object } }) => { readonly exports: unknown }
}

/** A page of WebAssembly memory: 64 KiB. */
export const PAGE_BYTES = 65_536

/** Functions of the kernel; see `scan.wat`. Positions are byte offsets into its memory. */
interface Kernel {
  similarities(query: number, unit: number, rows: number, count: number, bytes: number, out: number): void
  round(vector: number, count: number, row: number): readonly [left: number, all: number]
  product(query: number, vector: number, end: number): number
}

export interface KernelMemory {
  readonly memory: ArrayBuffer
  readonly kernel: Kernel
}

let compiled: object | null = null

/** Instantiates the kernel over 1 to 256 pages, all zeros. Throws RangeError when the machine is out of memory. */
export function createKernelMemory(pages: number): KernelMemory {
  compiled ??= new WebAssembly.Module(Buffer.from(SCAN_KERNEL, 'base64'))
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const { exports } = new WebAssembly.Instance(compiled, { kernel: { memory } })
  return { memory: memory.buffer, kernel: exports as Kernel }
}
