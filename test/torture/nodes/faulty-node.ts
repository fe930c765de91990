/**
 * A node with something taken out, for the checker to find out. Its clock stands still while the process does, as that of a virtual
 * machine may that is moved or paused: it does not notice that the others took over what it owned, and its storage has to.
 * `unfenced` commits no matter who wrote meanwhile; `unverified` answers reads from its memory without asking; `sound` has nothing taken
 * out.
 */
import process from 'node:process'
import { processEnvironment, readConfig } from '../../../src/config.js'
import { isDomainError } from '../../../src/domain/errors.js'
import { createSystemClock } from '../../../src/platform/clock.js'
import type { ActorStorage, Clock, Logger } from '../../../src/ports.js'
import { createService } from '../../../src/service.js'
import { createSqlStorage } from '../../../src/storage/sql/storage.js'

const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** Milliseconds between two looks at the clock, and what it goes on by at most from one to the next: a busy process is no paused one. */
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
