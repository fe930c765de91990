/** Inner loops in WebAssembly: a kernel is compiled once, and instantiated over memory that it reads and writes. */

/** The part of the WebAssembly API used here; the types of Node.js do not declare it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number; readonly shared?: boolean }) => object
  readonly Instance: new (module: object, imports: { readonly kernel: { readonly memory: object } }) => { readonly exports: unknown }
}

/** A page of WebAssembly memory: 64 KiB. */
export const PAGE_BYTES = 65_536

export interface KernelMemory<Functions, Memory = ArrayBuffer> {
  readonly memory: Memory
  readonly kernel: Functions
}

/** Memory that several threads see. A message to another thread hands it on, not a copy. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
}

/**
 * Instantiates kernels over a number of pages, all zeros. `code`: a module in Base64, compiled on the first call. Throws RangeError when
 * the machine is out of memory.
 */
export function createKernels<Functions>(code: string): (pages: number) => KernelMemory<Functions> {
  const instantiate = instantiating(code)
  return (pages) => {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages }) as { readonly buffer: ArrayBuffer }
    return { memory: memory.buffer, kernel: instantiate(memory) as Functions }
  }
}

/** The same over memory that threads share. Each thread has a kernel of its own. */
export function createSharedKernels<Functions>(code: string): (memory: SharedMemory) => KernelMemory<Functions, SharedMemory> {
  const instantiate = instantiating(code)
  return (memory) => ({ memory, kernel: instantiate(memory) as Functions })
}

/** Pages that threads share, all zeros. Throws RangeError when the machine is out of memory. */
export function createSharedMemory(pages: number): SharedMemory {
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true }) as SharedMemory
}

function instantiating(code: string): (memory: object) => unknown {
  let compiled: object | null = null
  return (memory) => {
    compiled ??= new WebAssembly.Module(Buffer.from(code, 'base64'))
    return new WebAssembly.Instance(compiled, { kernel: { memory } }).exports
  }
}
