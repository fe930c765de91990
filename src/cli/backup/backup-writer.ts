/** Writes a backup to a partial file and renames it when complete. A partial file can be continued, and is never taken for a backup. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { CommandFailure, usageFailure } from '../console/failure.js'
import { orNamedFailure, requireFolderOf } from '../console/named-file.js'
import { type FileLine, readLines } from './file-lines.js'
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupScope, HEAD_BYTES, readHeader } from './format.js'

export interface BackupWriter {
  /** Items that an earlier, interrupted run wrote. */
  readonly items: number
  /** The first bytes of the last line that starts an item; null if there is none. */
  readonly last: string | null
  /** Appends bytes to the current item. */
  write(bytes: Uint8Array | string): Promise<void>
  /** Marks the current item as complete, so that it is kept. */
  endItem(): void
  /** Number of items so far, including earlier runs. */
  written(): number
  /** Appends the checksum, and renames the file. */
  finish(): Promise<{ readonly items: number; readonly bytes: number }>
  /** Keeps the partial file for another run. Idempotent. */
  close(): Promise<void>
}

interface BackupWriterOptions {
  readonly path: string
  readonly scope: BackupScope
  readonly source: string
  /** Epoch seconds. */
  readonly now: number
  /** Whether a line starts an item, judged by its first bytes. */
  readonly beginsItem: (head: string) => boolean
}

interface Kept {
  /** Bytes of the complete items. */
  readonly bytes: number
  readonly items: number
  readonly last: string | null
}

/** Accessible to the user alone, because memories are private. */
const FILE_MODE = 0o600

/** Throws CommandFailure if the file exists already, or the partial file belongs to another backup. */
export async function openBackup(options: BackupWriterOptions): Promise<BackupWriter> {
  const { path, scope, source, now } = options
  await requireFolderOf(path)
  if ((await stat(path).catch(() => null)) !== null) throw usageFailure('The file is there already.')
  const partial = `${path}.partial`
  const kept = await keptOf(partial, options)
  const file = await orNamedFailure(partial, open(partial, kept === null ? 'wx' : 'r+', FILE_MODE))
  const hash = createHash('sha256')
  let bytes = kept?.bytes ?? 0
  let items = kept?.items ?? 0
  if (kept !== null) {
    await file.truncate(kept.bytes)
    for await (const chunk of file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>) hash.update(chunk)
  }
  const write = async (text: Uint8Array | string): Promise<void> => {
    const chunk = typeof text === 'string' ? Buffer.from(text) : text
    hash.update(chunk)
    await writeAll(file, chunk, bytes)
    bytes += chunk.byteLength
  }
  if (bytes === 0) await write(`${JSON.stringify({ format: BACKUP_FORMAT, version: BACKUP_VERSION, scope, source, created_at: now })}\n`)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= file.close())
  return {
    items,
    last: kept?.last ?? null,
    write,
    endItem() {
      items += 1
    },
    written: () => items,
    async finish() {
      await write(`${JSON.stringify({ type: 'end', items, sha256: hash.copy().digest('hex') })}\n`)
      await file.sync()
      await close()
      await rename(partial, path)
      return { items, bytes }
    },
    close
  }
}

/** Returns null if there is no partial file. Its last item may be incomplete and is written again. */
async function keptOf(partial: string, { scope, source, beginsItem }: BackupWriterOptions): Promise<Kept | null> {
  if ((await stat(partial).catch(() => null)) === null) return null
  let isFirst = true
  let item: FileLine | null = null
  let end = 0
  let items = 0
  let last: string | null = null
  for await (const line of readLines(partial, HEAD_BYTES)) {
    const head = line.head.toString('utf8')
    if (isFirst) {
      isFirst = false
      if (!line.isWhole) break
      const header = readHeader(head)
      if (header.scope !== scope || header.source !== source)
        throw new CommandFailure(`${partial} is a broken off backup of something else: remove it first.`)
    } else if (beginsItem(head)) {
      // Another item follows the previous one, so that one is complete.
      if (item !== null) {
        items += 1
        last = item.head.toString('utf8')
      }
      item = line
      end = line.offset
    }
    if (line.isWhole && item === null) end = line.offset + line.bytes + 1
  }
  return { bytes: end, items, last }
}

async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.byteLength;) {
    const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done, position + done)
    done += bytesWritten
  }
}
