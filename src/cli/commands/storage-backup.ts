/** `engram backup --everything` and its restore: for the storage in the service's configuration. */
import { createHash } from 'node:crypto'
import { openDurableStorage } from '../../composition/durable-storage.js'
import { ConfigError, processEnvironment, readStorageConfig } from '../../config.js'
import { createSystemClock } from '../../platform/clock.js'
import { SILENT } from '../../platform/silent-logger.js'
import { openBackup } from '../backup/backup-writer.js'
import type { CheckedBackup } from '../backup/checked-backup.js'
import { type ArchivedStorage, backUpRecords, beginsRecord, restoreRecords } from '../backup/record-backup.js'
import { interruptible, RESUME_HINT } from '../console/interruption.js'
import { createOutput } from '../console/output.js'
import { formatBytes, startProgress, withByteProgress } from '../console/progress.js'
import { openKeptStorage } from '../service/kept-storage.js'

interface StorageBackupOptions {
  readonly subject?: readonly string[]
  readonly json?: true
}

export async function backUpEverything(file: string, { subject, json }: StorageBackupOptions): Promise<void> {
  const { source, storage } = await openConfigured(openKeptStorage)
  const clock = createSystemClock()
  const progress = startProgress({ label: 'Records' })
  try {
    const named = createHash('sha256')
      .update(JSON.stringify([source, subject ?? null]))
      .digest('hex')
    const writer = await openBackup({ path: file, scope: 'storage', source: named, now: Math.floor(clock.now()), beginsItem: beginsRecord })
    try {
      await interruptible(RESUME_HINT, (signal) =>
        backUpRecords(storage, writer, { subjects: subject, signal, onProgress: (items) => progress.update(items) })
      )
      const { items, bytes } = await writer.finish()
      progress.end()
      const output = createOutput()
      if (json === true) output.json({ file, records: items, bytes })
      else output.line(`${String(items)} records and pages of audit trails are in ${file}, ${formatBytes(bytes)}.`)
    } finally {
      await writer.close()
    }
  } finally {
    progress.end()
    await storage.close()
  }
}

interface StorageRestoreOptions {
  readonly signal: AbortSignal
  readonly json?: true
}

export async function restoreEverything(file: string, { bytes }: CheckedBackup, { signal, json }: StorageRestoreOptions): Promise<void> {
  const { storage } = await openConfigured(openDurableStorage)
  try {
    const { restored, kept, auditEntries } = await withByteProgress('Restoring', bytes, (onProgress) =>
      restoreRecords(storage, { path: file, signal, onProgress })
    )
    const output = createOutput()
    if (json === true) output.json({ file, restored, kept, audit_entries: auditEntries })
    else
      output.line(
        `${String(restored)} records and ${String(auditEntries)} audit entries were restored; ${String(kept)} records were there already.`
      )
  } finally {
    await storage.close()
  }
}

/** Throws ConfigError for a storage that is not durable. */
async function openConfigured(open: typeof openDurableStorage): Promise<{ readonly source: string; readonly storage: ArchivedStorage }> {
  const config = readStorageConfig(processEnvironment())
  if (config.backend === 'memory') throw new ConfigError(['There is nothing to back up: sessions are kept in memory only.'])
  const storage = await open(config, { clock: createSystemClock(), logger: SILENT })
  // Addresses contain passwords, so only a digest is written.
  return { source: `${config.backend} ${config.url}`, storage }
}
