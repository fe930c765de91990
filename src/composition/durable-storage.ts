/**
 * Opens the configured storage, for the service and for the commands that inspect a durable one. Only the driver in use is loaded: loading
 * all of them takes longer than the rest of a start.
 */
import type { DurableStorageConfig, StorageConfig } from '../config.js'
import type { ActorStorage, AuditTrails, Clock, Logger } from '../ports.js'
import type { RecordArchive } from '../record-archive.js'
import { createMemoryStorage } from '../storage/memory.js'
import { openedBy } from './start-refusal.js'

/** Throws StartError when the storage cannot be reached or used. */
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

/** Like `openDurableStorage`, but also opens the in-memory storage. */
export function openStorage(config: StorageConfig, outside: { clock: Clock; logger: Logger }): Promise<ActorStorage> | ActorStorage {
  // Interface, States: without persistence an evicted session is gone.
  return config.backend === 'memory' ? createMemoryStorage({ retains: false }) : openDurableStorage(config, outside)
}
