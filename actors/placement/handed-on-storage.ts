/**
 * The memory of several nodes as one storage, where they share no other: a record lies with the node that owned its actor last, and
 * is handed on to the one that owns it now. What a node has in memory is lost with it.
 */
import type { Address } from '../../src/domain/address.js'
import type { HandedRecord } from '../../src/domain/commands/peer-questions.js'
import { DomainError } from '../../src/domain/errors.js'
import type { ActorStorage } from '../../src/ports.js'
import type { Peers } from './peers.js'

/** Milliseconds for a node to hand a record on: 100,000 memories are some 200 MB. */
const TAKE_MS_MAX = 10_000

/** `own` is this node's memory; `peers` is asked for each time, for it is made later. */
export function createHandedOnStorage(own: ActorStorage, peers: () => Peers): ActorStorage {
  /** Throws when a node that may have it does not answer: made here a second time, one of the two would be lost. */
  async function take(address: Address): Promise<HandedRecord | null> {
    const { answers, missing } = await peers().askAll({ type: 'record.take', address }, TAKE_MS_MAX)
    const taken = answers.find((record) => record !== null) ?? null
    if (taken === null && missing > 0) throw incomplete()
    return taken
  }

  return {
    ...own,
    async activate(address) {
      const known = await own.activate(address)
      if (known !== null) return known
      const taken = await take(address)
      if (taken === null) return null
      await own.create(address, { head: taken.head, put: taken.rows, remove: [] })
      return own.activate(address)
    },
    async peek(address) {
      const known = await own.peek(address)
      if (known !== null) return known
      return (await peers().askAll({ type: 'record.peek', address })).answers.find((record) => record !== null) ?? null
    },
    async list(query) {
      const { answers, missing } = await peers().askAll({ type: 'records.list', ...query })
      // An erasure would pass by what that node has.
      if (missing > 0) throw incomplete()
      const ids = new Set([...(await own.list(query)), ...answers.flat()])
      // Stryker disable next-line EqualityOperator: no id is there twice
      return [...ids].sort((a, b) => (a < b ? -1 : 1)).slice(0, query.limit)
    }
  }
}

function incomplete(): DomainError {
  return new DomainError('storage_unavailable', 'A node that may keep this does not answer')
}

/** Takes a record out of this node's memory, for the node that owns its actor now. A writer that still works on it here is fenced. */
export async function handOn(own: ActorStorage, address: Address): Promise<HandedRecord | null> {
  const record = await own.activate(address)
  if (record === null) return null
  await own.release(address, record.token)
  return { head: record.head, rows: record.rows }
}
