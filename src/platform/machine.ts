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
function readMachineMemory(configuredBytes: number | undefined): MachineMemory {
  // Of the control group, version 1 or 2: 0, or more than any machine has, where there is no limit.
  const constrained = process.constrainedMemory()
  const machineBytes = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem()
  return { limitBytes: configuredBytes ?? defaultLimitBytes(machineBytes), heapLimitBytes: getHeapStatistics().heap_size_limit }
}

/** How the memory of this process is shared out. Debug events, where there are any, have a part of their own. */
export function readAllowances({
  memoryLimitBytes,
  isTracing
}: {
  readonly memoryLimitBytes: number | undefined
  readonly isTracing: boolean
}): Allowances & { readonly tracesBytes: number } {
  const { limitBytes, heapLimitBytes } = readMachineMemory(memoryLimitBytes)
  const tracesBytes = isTracing ? tracesBytesOf(limitBytes) : 0
  return { ...allowancesOf({ limitBytes: limitBytes - tracesBytes, heapLimitBytes: heapLimitBytes - tracesBytes }), tracesBytes }
}
