/** The configured storage: for the service and, where it outlives the process, for the command that verifies its audit trails. */
import type { DurableStorageConfig, StorageConfig } from './config.js'
import type { ActorStorage, AuditTrails, Clock, Logger } from './ports.js'
import { createMemoryStorage } from './storage/memory.js'
import { createMongoStorage } from './storage/mongo/storage.js'
import { createRedisStorage } from './storage/redis/storage.js'
import { createSqlStorage } from './storage/sql/storage.js'
import { openedBy } from './start-refusal.js'

/** Throws StartError when it cannot be reached, or not be used. */
export function openDurableStorage(config: DurableStorageConfig, outside: { clock: Clock; logger: Logger }): Promise<ActorStorage & AuditTrails> {
  switch (config.backend) {
    case 'sql':
      return openedBy('DATABASE_URL', () => createSqlStorage({ url: config.url, ...outside }))
    case 'redis':
      return openedBy('REDIS_URL', () => createRedisStorage({ url: config.url, ...outside }))
    case 'mongo':
      return openedBy('MONGO_URL', () => createMongoStorage({ url: config.url }))
  }
}

/** As `openDurableStorage`, or this process's own memory. */
export function openStorage(config: StorageConfig, outside: { clock: Clock; logger: Logger }): Promise<ActorStorage> | ActorStorage {
  // Interface, States: with persistence off, what is evicted is gone.
  return config.backend === 'memory' ? createMemoryStorage({ retains: false }) : openDurableStorage(config, outside)
}
