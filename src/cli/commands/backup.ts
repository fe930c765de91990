/** `engram backup` and `engram restore`. */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { openBackup } from '../backup/backup-writer.js'
import { checkBackup, type CheckedBackup } from '../backup/checked-backup.js'
import { backUpSessions, beginsSession, restoreSessions } from '../backup/session-backup.js'
import { usageFailure } from '../console/failure.js'
import { interruptible, RESUME_HINT } from '../console/interruption.js'
import { requireFile, requireFolderOf } from '../console/named-file.js'
import { createOutput } from '../console/output.js'
import { formatBytes, type Progress, startProgress, withByteProgress } from '../console/progress.js'
import { type Connection, type ConnectionOptions, withConnection } from '../service/connection.js'

export interface BackupOptions extends ConnectionOptions {
  readonly everything?: true
  readonly subject?: readonly string[]
  readonly json?: true
}

export interface RestoreOptions extends ConnectionOptions {
  readonly replace?: true
  readonly check?: true
  readonly json?: true
}

export async function backUp(file: string, options: BackupOptions): Promise<void> {
  if (options.everything === true) {
    const { backUpEverything } = await import('./storage-backup.js')
    return backUpEverything(file, options)
  }
  if (options.subject !== undefined) throw usageFailure('--subject goes with --everything: the token says whose sessions these are.')
  await requireFolderOf(file)
  await withConnection(options, (service) => backUpSubject(file, options, service))
}

async function backUpSubject(file: string, { json }: BackupOptions, service: Connection): Promise<void> {
  const now = Math.floor(new Date().getTime() / 1_000)
  // A file must not contain a token. Its owner is what matters, because they may have a new token tomorrow.
  const source = createHash('sha256').update(`${service.url} ${service.owner}`).digest('hex')
  const writer = await openBackup({ path: file, scope: 'subject', source, now, beginsItem: beginsSession })
  let progress: Progress | undefined
  try {
    const gone = await interruptible(RESUME_HINT, (signal) =>
      backUpSessions(service.engram, writer, {
        signal,
        onProgress(done, total) {
          progress ??= startProgress({ label: 'Sessions', total })
          progress.update(done)
        }
      })
    )
    const { items, bytes } = await writer.finish()
    progress?.end()
    const output = createOutput()
    if (json === true) output.json({ file, sessions: items, gone, bytes })
    else output.line(`${String(items)} ${items === 1 ? 'session is' : 'sessions are'} in ${file}, ${formatBytes(bytes)}.`)
  } finally {
    progress?.end()
    await writer.close()
  }
}

export async function restore(file: string, options: RestoreOptions): Promise<void> {
  await requireFile(file)
  const { size } = await stat(file)
  await interruptible('What was restored stays; the same command does the rest.', async (signal) => {
    const checked = await withByteProgress('Checking', size, (onProgress) => checkBackup(file, onProgress, signal))
    if (options.check === true) {
      reportChecked(checked, options)
      return
    }
    if (checked.header.scope === 'storage') {
      const { restoreEverything } = await import('./storage-backup.js')
      await restoreEverything(file, checked, { ...options, signal })
    } else {
      const replace = options.replace === true
      const result = await withConnection(options, ({ engram }) =>
        withByteProgress('Restoring', size, (onProgress) => restoreSessions(engram, { path: file, replace, signal, onProgress }))
      )
      const output = createOutput()
      if (options.json === true) output.json({ file, ...result })
      else output.line(`${String(result.restored)} sessions were restored, ${String(result.kept)} were there already.`)
    }
    noteErasures(checked)
  })
}

/** Reminds of what a restore brings back. The file cannot tell what was erased after it was begun. */
function noteErasures({ header }: CheckedBackup): void {
  const begun = new Date(header.created_at * 1_000).toISOString()
  createOutput().note(`The backup was begun at ${begun}. What was deleted or erased since then may be back: repeat the erasures.`)
}

function reportChecked({ header, items, bytes }: CheckedBackup, { json }: RestoreOptions): void {
  const output = createOutput()
  if (json === true) output.json({ scope: header.scope, items, bytes, created_at: header.created_at })
  else output.line(`The backup is whole: ${String(items)} ${header.scope === 'subject' ? 'sessions' : 'records'}, ${formatBytes(bytes)}.`)
}
