/** A write on its way to another thread: copying many rows in one message would hold the event loop, 100,000 of them for 180 ms. */
import { addTo } from '../../domain/collections/by-key.js'
import type { EncodedChanges, WriteOperation } from './operations.js'

type Lists = Pick<EncodedChanges, 'put' | 'remove' | 'audit'>

/** The next rows, removals and audit entries of one operation. */
interface WritePart {
  readonly id: number
  /** Index in the batch. */
  readonly operation: number
  readonly part: Lists
}

/** The batch, without the lists that came ahead of it in parts. */
export interface WriteCall {
  readonly id: number
  readonly name: 'write'
  readonly query: readonly WriteOperation[]
}

export type WriteMessage = WritePart | WriteCall

/** Maximum items of one list in a message: copying them takes some 2 ms. */
export const ITEMS_A_MESSAGE = 1_024

const NO_LISTS: Lists = { put: [], remove: [], audit: [] }

/** Yields the messages of a write, the call last. Only operations with a long list have parts. */
export function* writeMessages(id: number, batch: readonly WriteOperation[]): Generator<WriteMessage, void> {
  const query: WriteOperation[] = []
  for (const [at, operation] of batch.entries()) {
    if (!('changes' in operation) || longestOf(operation.changes) <= ITEMS_A_MESSAGE) {
      query.push(operation)
      continue
    }
    for (const part of partsOf(operation.changes)) yield { id, operation: at, part }
    query.push({ ...operation, changes: { ...operation.changes, ...NO_LISTS } })
  }
  yield { id, name: 'write', query }
}

/** Collects parts until their call comes. */
interface PartCollector {
  add(part: WritePart): void
  /** Returns the batch as it was sent, and forgets its parts. */
  complete(call: WriteCall): readonly WriteOperation[]
}

/** Creates a collector without parts. */
export function createPartCollector(): PartCollector {
  const begun = new Map<number, WritePart[]>()
  return {
    add: (part) => addTo(begun, part.id, part),
    complete({ id, query }) {
      const parts = begun.get(id) ?? []
      begun.delete(id)
      return query.map((operation, at) => {
        const own = parts.filter((part) => part.operation === at).map(({ part }) => part)
        return 'changes' in operation && own.length > 0 ? { ...operation, changes: { ...operation.changes, ...joined(own) } } : operation
      })
    }
  }
}

function longestOf({ put, remove, audit }: Lists): number {
  return Math.max(put.length, remove.length, audit.length)
}

function* partsOf(lists: Lists): Generator<Lists, void> {
  for (let from = 0; from < longestOf(lists); from += ITEMS_A_MESSAGE) {
    const to = from + ITEMS_A_MESSAGE
    yield { put: lists.put.slice(from, to), remove: lists.remove.slice(from, to), audit: lists.audit.slice(from, to) }
  }
}

function joined(parts: readonly Lists[]): Lists {
  return {
    put: parts.flatMap(({ put }) => put),
    remove: parts.flatMap(({ remove }) => remove),
    audit: parts.flatMap(({ audit }) => audit)
  }
}
