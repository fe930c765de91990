/** Memory that the machine, its container and the runtime give this process. */
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { type Allowances, allowancesOf, defaultLimitBytes, tracesBytesOf } from '../domain/allowances.js'

interface MachineMemory {
  /** Maximum bytes for the process. */
  readonly limitBytes: number
  /** Maximum bytes of V8's heap, above which V8 ends the process: `--max-old-space-size`, or V8's choice for this machine. */
  readonly heapLimitBytes: number
}

/** `configuredBytes` is the operator's limit; undefined: derived from the container or the machine. */
function readMachineMemory(configuredBytes: number | undefined, workers: number): MachineMemory {
  // Limit of the control group, version 1 or 2. Without a limit it is 0, or more than any machine has.
  const constrained = process.constrainedMemory()
  const machineBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  const limitBytes = (configuredBytes ?? defaultLimitBytes(machineBytes)) / workers
  return { limitBytes, heapLimitBytes: getHeapStatistics().heap_size_limit }
}

/** Divides the memory of this process. Debug events, if collected, have a share of their own. */
export function readAllowances({
  memoryLimitBytes,
  workers,
  isTracing
}: {
  /** Limit for all workers together. */
  readonly memoryLimitBytes: number | undefined
  /** Number of processes that share it, including this one. */
  readonly workers: number
  readonly isTracing: boolean
}): Allowances & { readonly tracesBytes: number } {
  const { limitBytes, heapLimitBytes } = readMachineMemory(memoryLimitBytes, workers)
  const tracesBytes = isTracing ? tracesBytesOf(limitBytes) : 0
  return { ...allowancesOf({ limitBytes: limitBytes - tracesBytes, heapLimitBytes: heapLimitBytes - tracesBytes }), tracesBytes }
}
