/**
 * A node without one of its mechanisms, which the checker must detect. Its clock stands still while the process is paused, as may happen in
 * a virtual machine that is moved or paused: the node does not notice that others took over what it owned, so its storage must.
 * `unfenced` commits no matter who wrote meanwhile; `unverified` answers reads from memory without asking the storage; `sound` lacks
 * nothing.
 */
import process from 'node:process'
import { processEnvironment, readConfig } from '../../../src/config.js'
import { isDomainError } from '../../../src/domain/errors.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { ActorStorage, Clock, Logger } from '../../../src/ports.js'
import { createService } from '../../../src/service.js'
import { createSqlStorage } from '../../../src/storage/sql/storage.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Milliseconds between readings of the clock, and the most by which it advances between two: more than a busy process needs. */
const TICK_MS = 20
const STEP_MS_MAX = 300

const faults: Readonly<Record<string, (storage: ActorStorage) => ActorStorage>> = { unfenced, unverified, sound: (storage) => storage }

const config = readConfig(processEnvironment())
const fault = faults[process.argv[2] ?? '']
if (fault === undefined || config.storage.backend !== 'sql') throw new Error('There is no such fault')
const clock = createPausingClock()
const storage = await createSqlStorage({ url: config.storage.url, clock, logger: SILENT })
const service = await createService(config, { clock, storage: fault(storage) })
const url = await service.listen()
service.logger.info({ url }, 'listening')

function createPausingClock(): Clock {
  const system = createSystemClock()
  let seenMs = system.monotonicMs()
  let toldMs = seenMs
  const monotonicMs = () => {
    const nowMs = system.monotonicMs()
    toldMs += Math.min(STEP_MS_MAX, nowMs - seenMs)
    seenMs = nowMs
    return toldMs
  }
  setInterval(monotonicMs, TICK_MS).unref()
  return { ...system, monotonicMs }
}

function unfenced(storage: ActorStorage): ActorStorage {
  return {
    ...storage,
    async commit(address, token, changes) {
      try {
        return await storage.commit(address, token, changes)
      } catch (error) {
        const current = isDomainError(error) && error.code === 'fenced' ? await storage.activate(address) : null
        if (current === null) throw error
        return storage.commit(address, current.token, changes)
      }
    }
  }
}

function unverified(storage: ActorStorage): ActorStorage {
  return { ...storage, verify: async () => true }
}
