/** What the machine, its container and the runtime give this process of memory. */
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { type Allowances, allowancesOf, defaultLimitBytes, tracesBytesOf } from '../domain/allowances.js'

interface MachineMemory {
  /** Bytes that the process may take. */
  readonly limitBytes: number
  /** Bytes that V8 gives its heap before it ends the process: `--max-old-space-size`, or what V8 chose for this machine. */
  readonly heapLimitBytes: number
}

/** `configuredBytes` is what an operator grants; undefined: what the container or the machine leaves. */
function readMachineMemory(configuredBytes: number | undefined, workers: number): MachineMemory {
  // Of the control group, version 1 or 2: 0, or more than any machine has, where there is no limit.
  const constrained = process.constrainedMemory()
  const machineBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  const limitBytes = (configuredBytes ?? defaultLimitBytes(machineBytes)) / workers
  return { limitBytes, heapLimitBytes: getHeapStatistics().heap_size_limit }
}

/** How the memory of this process is shared out. Debug events, where there are any, have a part of their own. */
export function readAllowances({
  memoryLimitBytes,
  workers,
  isTracing
}: {
  /** Of all workers together. */
  readonly memoryLimitBytes: number | undefined
  /** Processes that share it, this one among them. */
  readonly workers: number
  readonly isTracing: boolean
}): Allowances & { readonly tracesBytes: number } {
  const { limitBytes, heapLimitBytes } = readMachineMemory(memoryLimitBytes, workers)
  const tracesBytes = isTracing ? tracesBytesOf(limitBytes) : 0
  return { ...allowancesOf({ limitBytes: limitBytes - tracesBytes, heapLimitBytes: heapLimitBytes - tracesBytes }), tracesBytes }
}
