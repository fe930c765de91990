/** Inner loops in WebAssembly: a kernel is compiled once, and instantiated over memory that it reads and writes. */

/** The part of the WebAssembly API used here; the types of Node.js do not declare it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (module: object, imports: { readonly kernel: { readonly memory: object } }) => { readonly exports: unknown }
}

/** A page of WebAssembly memory: 64 KiB. */
export const PAGE_BYTES = 65_536

export interface KernelMemory<Functions> {
  readonly memory: ArrayBuffer
  readonly kernel: Functions
}

/**
 * Instantiates kernels over a number of pages, all zeros. `code`: a module in Base64, compiled on the first call. Throws RangeError when
 * the machine is out of memory.
 */
export function createKernels<Functions>(code: string): (pages: number) => KernelMemory<Functions> {
  let compiled: object | null = null
  return (pages) => {
    compiled ??= new WebAssembly.Module(Buffer.from(code, 'base64'))
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    const { exports } = new WebAssembly.Instance(compiled, { kernel: { memory } })
    return { memory: memory.buffer, kernel: exports as Functions }
  }
}
