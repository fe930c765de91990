/** Simulated storage of all nodes, and their lines to it: slow, failing or cut. Writes are journaled even if the caller never hears. */
import { DomainError } from '../../src/domain/errors.js'
import { decodeBody, encodeBody } from '../../src/storage/record-codec.js'
import { createMemoryStorage } from '../../src/storage/memory.js'
import type { ActorStorage, RecordChanges, StoredRow } from '../../src/ports.js'
import type { Chance } from '../torture/chance.js'
import type { Journal } from './journal.js'
import type { Scheduler } from './scheduler.js'
import type { SimulatedProcess } from './simulated-process.js'
import type { Story } from './story.js'

/** State of a node's line to the storage. */
export interface StorageLine {
  isCut: boolean
  /** One call in this many fails, before or after it was carried out; 0: none. */
  failOneIn: number
  /** Longest latency of one way in milliseconds. */
  latencyMsMax: number
}

export interface SharedStorage {
  /** The storage as a process reaches it. */
  storageOf(process: SimulatedProcess): ActorStorage
  lineOf(node: string): StorageLine
}

export interface SharedStorageOptions {
  readonly scheduler: Scheduler
  readonly chance: Chance
  readonly journal: Journal
  readonly story: Story
  readonly latencyMsMax: number
}

/** Milliseconds after which a driver gives up a call. */
const DRIVER_MS_MAX = 5_000

const PARTS = 1_000

export function createSharedStorage({ scheduler, chance, journal, story, latencyMsMax }: SharedStorageOptions): SharedStorage {
  const kept = createMemoryStorage({ retains: true, clock: { now: () => scheduler.nowMs / 1000 } })
  const lines = new Map<string, StorageLine>()
  const lineOf = (node: string): StorageLine => {
    const known = lines.get(node)
    if (known !== undefined) return known
    const line = { isCut: false, failOneIn: 0, latencyMsMax }
    lines.set(node, line)
    return line
  }

  function storageOf(process: SimulatedProcess): ActorStorage {
    const line = lineOf(process.node)
    const latencyMs = (): number => chance.integer(1, line.latencyMsMax * PARTS) / PARTS
    const fails = (): boolean => line.failOneIn > 0 && chance.oneIn(line.failOneIn)

    /** A round trip. What is carried out at the storage happens at one moment. */
    function call<Result>(name: string, carryOut: () => Promise<Result>): Promise<Result> {
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(unavailable())
        const cancel = process.clock.after(DRIVER_MS_MAX, giveUp)
        const back = (settle: () => void): void => {
          if (line.isCut) return
          scheduler.after(latencyMs(), () =>
            process.arrive(() => {
              cancel()
              settle()
            })
          )
        }
        if (!process.isAlive || line.isCut) return
        if (fails()) {
          back(giveUp)
          return
        }
        scheduler.after(latencyMs(), () => {
          story.note(`storage ${process.name} ${name}`)
          const isLost = fails()
          void carryOut().then(
            (result) => back(isLost ? giveUp : () => resolve(result)),
            (error: unknown) => back(() => reject(error))
          )
        })
      })
    }
    return {
      isDurable: true,
      async create(address, changes, tombstoneEpoch) {
        const packed = pack(changes)
        return call('create', async () => {
          const token = await kept.create(address, packed, tombstoneEpoch)
          if (token !== null) journal.created(process, address, { token, changes })
          return token
        })
      },
      activate: (address) =>
        call('activate', async () => {
          const record = await kept.activate(address)
          if (record === null) return null
          journal.taken(process, address, record.token)
          return { token: record.token, head: unpackBody(record.head), rows: record.rows.map(unpackRow) }
        }),
      async commit(address, token, changes) {
        const packed = pack(changes)
        return call('commit', async () => {
          const next = await kept.commit(address, token, packed)
          journal.committed(process, address, { token, next, changes })
          return next
        })
      },
      async remove(address, token, rows = []) {
        const packed = rows.map(packRow)
        return call('remove', async () => {
          await kept.remove(address, token, packed)
          journal.removed(process, address, token)
        })
      },
      tombstone: (address) =>
        call('tombstone', async () => {
          const found = await kept.tombstone(address)
          return found === null ? null : { epoch: found.epoch, rows: found.rows.map(unpackRow) }
        }),
      sweep: () => call('clear', () => kept.sweep()),
      verify: (address, token) => call('verify', () => kept.verify(address, token)),
      peek: (address) =>
        call('peek', async () => {
          const found = await kept.peek(address)
          return found === null ? null : { head: unpackBody(found.head) }
        }),
      heads: (query) =>
        call('heads', async () => new Map(Array.from(await kept.heads(query), ([id, head]) => [id, unpackBody(head)] as const))),
      list: (query) => call('list', () => kept.list(query)),
      reminders: (query) => call('reminders', () => kept.reminders(query)),
      release: (address, token) => call('release', () => kept.release(address, token)),
      check: () => call('check', async () => undefined),
      purge: () => call('purge', () => kept.purge()),
      async close() {}
    }
  }
  return { storageOf, lineOf }
}

/** Encodes the changes when they are handed over, so that later changes of the objects have no effect. */
function pack(changes: RecordChanges): RecordChanges {
  return { ...changes, head: encodeBody(changes.head), put: changes.put.map(packRow) }
}

function packRow({ collection, id, body }: StoredRow): StoredRow {
  return { collection, id, body: encodeBody(body) }
}

function unpackRow({ collection, id, body }: StoredRow): StoredRow {
  return { collection, id, body: unpackBody(body) }
}

function unpackBody(body: unknown): unknown {
  return decodeBody(body as Uint8Array)
}

function unavailable(): DomainError {
  return new DomainError('storage_unavailable', 'The storage does not answer')
}
