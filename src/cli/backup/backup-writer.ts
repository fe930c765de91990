/** Writes a backup beside its name until it is whole: what is broken off is gone on with, and never taken for a backup. */
import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { CommandFailure, usageFailure } from '../console/failure.js'
import { requireFolderOf, toNamedFailure } from '../console/named-file.js'
import { type FileLine, readLines } from './file-lines.js'
import { BACKUP_FORMAT, BACKUP_VERSION, type BackupScope, HEAD_BYTES, readHeader } from './format.js'

export interface BackupWriter {
  /** Items that an earlier, broken off backup wrote. */
  readonly items: number
  /** The last of those lines that begin an item; null where there is none. */
  readonly last: string | null
  /** Adds bytes that were not told to be whole. */
  write(bytes: Uint8Array | string): Promise<void>
  /** What was written since the last call is one more item, and stays. */
  endItem(): void
  /** Items so far, with those of earlier. */
  written(): number
  /** Adds the checksum, and gives the file its name. */
  finish(): Promise<{ readonly items: number; readonly bytes: number }>
  /** Leaves what is there for another start. Twice is fine. */
  close(): Promise<void>
}

export interface BackupWriterOptions {
  readonly path: string
  readonly scope: BackupScope
  readonly source: string
  /** Epoch seconds. */
  readonly now: number
  /** Whether a line begins an item, by what it begins with. */
  readonly beginsItem: (head: string) => boolean
}

interface Kept {
  /** Bytes of whole items. */
  readonly bytes: number
  readonly items: number
  readonly last: string | null
}

/** Readable by the user alone: memories are private. */
const FILE_MODE = 0o600

/** Throws CommandFailure where the file is there already, or what was broken off is another backup. */
export async function openBackup(options: BackupWriterOptions): Promise<BackupWriter> {
  const { path, scope, source, now } = options
  await requireFolderOf(path)
  if ((await stat(path).catch(() => null)) !== null) throw usageFailure('The file is there already.')
  const partial = `${path}.partial`
  const kept = await keptOf(partial, options)
  const file = await open(partial, kept === null ? 'wx' : 'r+', FILE_MODE).catch((error: unknown) => {
    throw toNamedFailure(partial, error)
  })
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

/** Null where nothing was begun. Of the rest the last item may be broken off: it is written anew. */
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
      // The one before was followed by another, so it is whole.
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
