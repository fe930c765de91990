/**
 * The service on a faulty storage, which the harness must detect. `early` acknowledges a commit but writes it only when eight more have
 * come; `twice` writes every memory a second time, like a log that is replayed over its own result.
 */
import process from 'node:process'
import { MEMORY, STATS } from '../../actors/session/record/head.js'
import { processEnvironment, readConfig } from '../../src/config.js'
import { addressKey } from '../../src/domain/address.js'
import type { Memory } from '../../src/domain/session.js'
import { createSystemClock } from '../../src/platform/clock.js'
import type { ActorStorage, Logger, StoredRow } from '../../src/ports.js'
import { createService } from '../../src/service.js'
import { createSqlStorage } from '../../src/storage/sql/storage.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Acknowledged but unwritten commits of all sessions together, which a kill loses. */
const WAITING_MAX = 8

const faults: Readonly<Record<string, (storage: ActorStorage) => ActorStorage>> = { early, twice }

const config = readConfig(processEnvironment())
const fault = faults[process.argv[2] ?? '']
if (fault === undefined || config.storage.backend !== 'sql') throw new Error('There is no such fault')
const storage = await createSqlStorage({ url: config.storage.url, clock: createSystemClock(), logger: SILENT })
const service = await createService(config, { storage: fault(storage) })
const url = await service.listen()
service.logger.info({ url }, 'listening')

function early(storage: ActorStorage): ActorStorage {
  let waiting: { readonly key: string; readonly write: () => Promise<unknown> }[] = []
  let written: Promise<unknown> = Promise.resolve()
  const writeNow = (commits: typeof waiting) => {
    waiting = waiting.filter((commit) => !commits.includes(commit))
    for (const { write } of commits) written = written.then(write)
    return written
  }
  return {
    ...storage,
    async commit(address, token, changes) {
      waiting.push({ key: addressKey(address), write: () => storage.commit(address, token, changes) })
      void writeNow(waiting.slice(0, -WAITING_MAX))
      return { epoch: token.epoch, version: token.version + 1 }
    },
    async remove(address, token) {
      await writeNow(waiting.filter(({ key }) => key === addressKey(address)))
      await storage.remove(address, token)
    }
  }
}

function twice(storage: ActorStorage): ActorStorage {
  return {
    ...storage,
    commit: (address, token, changes) =>
      storage.commit(address, token, { ...changes, put: [...changes.put, ...changes.put.flatMap(again)] })
  }
}

/** A copy of a memory with another id, right after the original. */
function again({ collection, id, body }: StoredRow): StoredRow[] {
  const other = `${id}-again`
  if (collection === STATS) return [{ collection, id: other, body }]
  if (collection !== MEMORY) return []
  const memory = body as Memory
  return [{ collection, id: other, body: { ...memory, id: other, seq: memory.seq + 0.5 } }]
}
