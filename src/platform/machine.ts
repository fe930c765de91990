/** What the machine, its container and the runtime give this process. */
import { availableParallelism, totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { type Allowances, allowancesOf, defaultLimitBytes, type ProcessMemory, tracesBytesOf } from '../domain/fairness/allowances.js'

/** `configuredBytes` is the operator's limit; undefined: derived from the container or the machine. */
function readMachineMemory(configuredBytes: number | undefined, workers: number): ProcessMemory {
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
  eventsMax
}: {
  /** Limit for all workers together. */
  readonly memoryLimitBytes: number | undefined
  /** Number of processes that share it, including this one. */
  readonly workers: number
  /** Debug events kept of each subject; 0: none are collected. */
  readonly eventsMax: number
}): Allowances & { readonly tracesBytes: number } {
  const { limitBytes, heapLimitBytes } = readMachineMemory(memoryLimitBytes, workers)
  const tracesBytes = tracesBytesOf({ limitBytes, heapLimitBytes, eventsMax })
  return { ...allowancesOf({ limitBytes: limitBytes - tracesBytes, heapLimitBytes: heapLimitBytes - tracesBytes }), tracesBytes }
}

/** Number of processors that this process may use at once. A quota of the container is not known to Node.js. */
export function readProcessors(): number {
  return availableParallelism()
}
