/** Verifies a backup: reads it once from start to end before it is used. */
import { CommandFailure } from '../console/failure.js'
import { readLines } from './file-lines.js'
import { type BackupHeader, HEAD_BYTES, readEnd, readHeader } from './format.js'

export interface CheckedBackup {
  readonly header: BackupHeader
  /** Number of sessions or records. */
  readonly items: number
  readonly bytes: number
}

/** Throws CommandFailure for a file that is incomplete, changed, or not a backup. */
export async function checkBackup(path: string, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<CheckedBackup> {
  let header: BackupHeader | undefined
  let end: ReturnType<typeof readEnd> = null
  let bytes = 0
  for await (const line of readLines(path, HEAD_BYTES, signal)) {
    const head = line.head.toString('utf8')
    header ??= readHeader(head)
    if (end !== null) throw changed()
    end = line.isWhole ? readEnd(head) : null
    if (end !== null && end.sha256 !== line.digestBefore) throw changed()
    bytes = line.offset + line.bytes + 1
    onProgress(bytes)
  }
  if (header === undefined) throw new CommandFailure('The file is empty.')
  if (end === null) throw new CommandFailure('The backup is not whole: its last line is missing.')
  return { header, items: end.items, bytes }
}

function changed(): CommandFailure {
  return new CommandFailure('The backup was changed, or damaged: its checksum does not fit. Nothing was restored.')
}
