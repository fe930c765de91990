/**
 * Storage in the memory of several nodes, for nodes that share no other: a record stays with the last owner of its actor, and is handed
 * over to the present owner on activation. The records in a node's memory are lost with the node.
 */
import type { Address } from '../../src/domain/address.js'
import type { HandedRecord, PeerAnswers } from '../../src/domain/commands/peer-questions.js'
import { DomainError } from '../../src/domain/errors.js'
import type { ActorStorage } from '../../src/ports.js'
import type { Peers } from './peers.js'

/** Milliseconds for a node to hand a record over: 100,000 memories are some 200 MB. */
const TAKE_MS_MAX = 10_000

/** Milliseconds for a node to return the head of a record: less than the time limit of one call of storage. */
const PEEK_MS_MAX = 4_000

/** `own` is this node's memory. `peers` is a function because the peers are created later. */
export function createHandedOnStorage(own: ActorStorage, peers: () => Peers): ActorStorage {
  /**
   * Returns the record of another node; null when all of them answer that they have none. Throws when none has it and one does not answer:
   * a record that is only out of reach must not be created a second time, nor count as missing.
   */
  async function askOthers<Type extends 'record.take' | 'record.peek'>(
    type: Type,
    address: Address,
    deadlineMs: number
  ): Promise<PeerAnswers[Type]> {
    const { answers, missing } = await peers().askAll({ type, address }, deadlineMs)
    const found = answers.find((record) => record !== null) ?? null
    if (found === null && missing > 0) throw incomplete()
    return found
  }

  return {
    ...own,
    async activate(address) {
      const known = await own.activate(address)
      if (known !== null) return known
      const taken = await askOthers('record.take', address, TAKE_MS_MAX)
      if (taken === null) return null
      await own.create(address, { head: taken.head, put: taken.rows, remove: [] })
      return own.activate(address)
    },
    async peek(address) {
      return (await own.peek(address)) ?? askOthers('record.peek', address, PEEK_MS_MAX)
    },
    async heads({ kind, subject, ids }) {
      const found = new Map(await own.heads({ kind, subject, ids }))
      const elsewhere = ids.filter((id) => !found.has(id))
      const records = await Promise.all(elsewhere.map((id) => askOthers('record.peek', { kind, subject, id }, PEEK_MS_MAX)))
      for (const [at, id] of elsewhere.entries()) if (records[at] != null) found.set(id, records[at].head)
      return found
    },
    async list(query) {
      const { answers, missing } = await peers().askAll({ type: 'records.list', ...query })
      // An erasure would miss the records of that node.
      if (missing > 0) throw incomplete()
      const ids = new Set([...(await own.list(query)), ...answers.flat()])
      // Stryker disable next-line EqualityOperator: all ids differ
      return [...ids].sort((a, b) => (a < b ? -1 : 1)).slice(0, query.limit)
    }
  }
}

function incomplete(): DomainError {
  return new DomainError('storage_unavailable', 'A node that may hold this record does not answer')
}

/** Takes a record out of this node's memory, for the present owner of its actor. A writer that still works on it here is fenced. */
export async function handOn(own: ActorStorage, address: Address): Promise<HandedRecord | null> {
  const record = await own.activate(address)
  if (record === null) return null
  await own.release(address, record.token)
  return { head: record.head, rows: record.rows }
}
