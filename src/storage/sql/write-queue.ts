/**
 * Group commit: writes that arrive during a transaction share the next one. A large write shares a transaction only with writes of its own
 * subject, and with several lanes no subject may use all of them. So no subject waits for the large writes of another.
 */
import { addressKey } from '../../domain/address.js'
import { addTo } from '../../domain/collections/by-key.js'
import { STORAGE_MS_MAX } from '../../domain/limits.js'
import type { Clock } from '../../ports.js'
import type { WriteOperation, WriteResult } from './operations.js'

interface WriteQueue {
  /** Resolves also for a refused or failed write; rejects with what `write` threw. */
  add(operation: WriteOperation): Promise<WriteResult>
  /** Resolves when no write waits or is in progress. */
  idle(): Promise<void>
}

interface WriteQueueOptions {
  readonly write: (batch: readonly WriteOperation[]) => Promise<readonly WriteResult[]>
  readonly clock: Clock
  /** Concurrent transactions. */
  readonly lanes: number
  /** Maximum operations per transaction. */
  readonly batchMax: number
}

/** Maximum bytes per transaction, unless a single operation has more: some 10 ms of a disk's or network's time. */
const BATCH_BYTES_MAX = 4 * 1024 * 1024

/** Bytes above which a write counts as large: it takes longer than a round trip. */
const LARGE_BYTES = 64 * 1024

/** Subjects whose last batch is remembered. Above it all are forgotten, which costs a subject at most one turn. */
const SUBJECTS_MAX = 1_024

/** `code` of a write that waited until its caller had given up; it was not started. */
const EXPIRED = 'EXPIRED'

interface Waiting {
  readonly operation: WriteOperation
  readonly key: string
  readonly sinceMs: number
  readonly resolve: (result: WriteResult) => void
  readonly reject: (error: unknown) => void
}

/**
 * The first write starts at once and does not wait for others. Writes to one record keep their order, with one per transaction. Subjects
 * take turns, so that many writes of one do not all precede a small one of another. The number of waiting writes is bounded by the
 * operations that a node takes in flight (`OPERATIONS_IN_FLIGHT_MAX`), not here.
 */
export function createWriteQueue({ write, clock, lanes, batchMax }: WriteQueueOptions): WriteQueue {
  let waiting: Waiting[] = []
  /** Records that a transaction in progress writes. */
  const busy = new Set<string>()
  /** Number of the last batch with a write of each subject. */
  const servedIn = new Map<string, number>()
  /** Transactions in progress with writes of each subject. */
  const lanesOf = new Map<string, number>()
  const subjectLanes = Math.max(1, lanes - 1)
  let batches = 0
  let under = 0
  const idlers: (() => void)[] = []

  function pump(): void {
    while (under < lanes) {
      const batch = nextBatch()
      if (batch.length === 0) break
      under += 1
      void run(batch)
    }
    if (under === 0 && waiting.length === 0) for (const resolve of idlers.splice(0)) resolve()
  }

  function nextBatch(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    const held = new Set<string>()
    let alone: string | null = null
    const expiredBeforeMs = clock.monotonicMs() - STORAGE_MS_MAX
    let bytes = 0
    batches += 1
    if (servedIn.size > SUBJECTS_MAX) servedIn.clear()
    for (const item of inSlices(waiting, servedIn)) {
      if (item.sinceMs < expiredBeforeMs) {
        item.resolve({ outcome: 'failed', code: EXPIRED })
        continue
      }
      const { subject } = item.operation.address
      const size = bytesOf(item.operation)
      const isLarge = size > LARGE_BYTES
      const isAllowed = (lanesOf.get(subject) ?? 0) < subjectLanes && !busy.has(item.key) && !held.has(item.key)
      const fits =
        batch.length === 0 ||
        (batch.length < batchMax && bytes + size <= BATCH_BYTES_MAX && (alone === null ? !isLarge : subject === alone))
      if (isAllowed && fits) {
        if (isLarge) alone = subject
        batch.push(item)
        busy.add(item.key)
        servedIn.set(subject, batches)
        bytes += size
      } else left.push(item)
      held.add(item.key)
    }
    waiting = left
    return batch
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const subjects = new Set(batch.map(({ operation }) => operation.address.subject))
    for (const subject of subjects) lanesOf.set(subject, (lanesOf.get(subject) ?? 0) + 1)
    try {
      const results = await write(batch.map(({ operation }) => operation))
      for (const [at, { resolve }] of batch.entries()) resolve(results[at] as WriteResult)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    for (const { key } of batch) busy.delete(key)
    // Callers that were just answered may write again at once, and should not miss the next transaction by a tick.
    setImmediate(() => {
      under -= 1
      for (const subject of subjects) {
        const left = (lanesOf.get(subject) ?? 1) - 1
        if (left === 0) lanesOf.delete(subject)
        else lanesOf.set(subject, left)
      }
      pump()
    })
  }

  return {
    add: (operation) =>
      new Promise((resolve, reject) => {
        waiting.push({ operation, key: addressKey(operation.address), sinceMs: clock.monotonicMs(), resolve, reject })
        pump()
      }),
    idle: () =>
      new Promise((resolve) => {
        idlers.push(resolve)
        pump()
      })
  }
}

/** Round-robin over the subjects, starting with those that wrote longest ago. In order of arrival within a subject. */
function inSlices(waiting: readonly Waiting[], servedIn: ReadonlyMap<string, number>): readonly Waiting[] {
  const lines = new Map<string, Waiting[]>()
  for (const item of waiting) addTo(lines, item.operation.address.subject, item)
  if (lines.size <= 1) return waiting
  const order = [...lines].sort(([one], [other]) => (servedIn.get(one) ?? 0) - (servedIn.get(other) ?? 0))
  const turns: Waiting[] = []
  let left = order.map(([, line]) => line)
  for (let round = 0; left.length > 0; round++) {
    turns.push(...left.map((line) => line[round] as Waiting))
    left = left.filter((line) => line.length > round + 1)
  }
  return turns
}

function bytesOf(operation: WriteOperation): number {
  return 'changes' in operation ? operation.changes.bytes : 0
}
