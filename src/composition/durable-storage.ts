/**
 * The configured storage: for the service and, where it outlives the process, for the commands that look into it.
 * Only the driver that is needed is loaded: all of them together take longer than the rest of a start.
 */
import type { DurableStorageConfig, StorageConfig } from '../config.js'
import type { ActorStorage, AuditTrails, Clock, Logger } from '../ports.js'
import type { RecordArchive } from '../record-archive.js'
import { createMemoryStorage } from '../storage/memory.js'
import { openedBy } from './start-refusal.js'

/** Throws StartError when it cannot be reached, or not be used. */
export async function openDurableStorage(
  config: DurableStorageConfig,
  outside: { clock: Clock; logger: Logger }
): Promise<ActorStorage & AuditTrails & RecordArchive> {
  switch (config.backend) {
    case 'sql': {
      const { createSqlStorage } = await import('../storage/sql/storage.js')
      return openedBy('DATABASE_URL', () => createSqlStorage({ url: config.url, ...outside }))
    }
    case 'redis': {
      const { createRedisStorage } = await import('../storage/redis/storage.js')
      return openedBy('REDIS_URL', () => createRedisStorage({ url: config.url, ...outside }))
    }
    case 'mongo': {
      const { createMongoStorage } = await import('../storage/mongo/storage.js')
      return openedBy('MONGO_URL', () => createMongoStorage({ url: config.url }))
    }
  }
}

/** As `openDurableStorage`, or this process's own memory. */
export function openStorage(config: StorageConfig, outside: { clock: Clock; logger: Logger }): Promise<ActorStorage> | ActorStorage {
  // Interface, States: with persistence off, what is evicted is gone.
  return config.backend === 'memory' ? createMemoryStorage({ retains: false }) : openDurableStorage(config, outside)
}
