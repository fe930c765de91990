/** Backs up the sessions of one licence subject over HTTP, as exports and imports of the interface. */
import { openAsBlob } from 'node:fs'
import type { Engram } from '../../client/engram.js'
import { isEngramError } from '../../client/engram-error.js'
import { CommandFailure, EXIT } from '../console/failure.js'
import { PATIENT } from '../service/connection.js'
import type { BackupWriter } from './backup-writer.js'
import { readLines } from './file-lines.js'
import { HEAD_BYTES } from './format.js'

const PAGE_LIMIT = 1_000
const TOO_LARGE = 413

const LINE = /^\{"type":"session","id":"([A-Za-z0-9_-]{1,128})","document":/

export function beginsSession(head: string): boolean {
  return LINE.test(head)
}

/** Returns the ids after `after`, ascending. */
async function listSessions(engram: Engram, signal: AbortSignal, after?: string): Promise<string[]> {
  const ids: string[] = []
  const query = { limit: PAGE_LIMIT, ...(after !== undefined && { after }) }
  for await (const { session_id } of engram.sessions.all(query, { ...PATIENT, signal })) ids.push(session_id)
  return ids
}

/** Resolves to the number of sessions that were deleted before their turn came. */
export async function backUpSessions(
  engram: Engram,
  writer: BackupWriter,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void }
): Promise<number> {
  const after = writer.last === null ? undefined : LINE.exec(writer.last)?.[1]
  const ids = await listSessions(engram, signal, after)
  const total = writer.items + ids.length
  let done = writer.items
  let gone = 0
  for (const id of ids) {
    onProgress(done, total)
    const document = await engram
      .session(id)
      .exportBytes({ ...PATIENT, signal })
      .catch((error: unknown) => {
        if (isEngramError(error) && error.kind === 'not_found') return null
        throw error
      })
    if (document === null) gone += 1
    else {
      await writer.write(`{"type":"session","id":"${id}","document":`)
      for await (const bytes of document) {
        // JSON needs no line breaks; one would end the line in the file.
        if (bytes.includes(0x0a)) throw new CommandFailure('The service exports in a form that this program does not know.')
        await writer.write(bytes)
      }
      await writer.write('}\n')
      writer.endItem()
    }
    done += 1
  }
  onProgress(done, total)
  return gone
}

interface RestoredSessions {
  readonly restored: number
  /** Existing sessions that were left unchanged. */
  readonly kept: number
}

interface RestoreSessionsOptions {
  readonly path: string
  readonly replace: boolean
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** `path` is a backup that was verified. */
export async function restoreSessions(engram: Engram, options: RestoreSessionsOptions): Promise<RestoredSessions> {
  const { path, replace, signal, onProgress } = options
  const file = await openAsBlob(path)
  const present = new Set(replace ? [] : await listSessions(engram, signal))
  let [restored, kept] = [0, 0]
  for await (const { head, offset, bytes } of readLines(path, HEAD_BYTES, signal)) {
    const [prefix, id] = LINE.exec(head.toString('utf8')) ?? []
    if (prefix !== undefined && id !== undefined) {
      if (present.has(id)) kept += 1
      else {
        await importSession(engram, id, file.slice(offset + prefix.length, offset + bytes - 1), signal)
        restored += 1
      }
    }
    onProgress(offset + bytes + 1)
  }
  return { restored, kept }
}

async function importSession(engram: Engram, id: string, document: Blob, signal: AbortSignal): Promise<void> {
  try {
    await engram.session(id).import(document, { ...PATIENT, signal })
  } catch (error) {
    if (!isEngramError(error) || error.kind !== 'invalid') throw error
    const isOverLimit = error.status === TOO_LARGE && !error.detail.includes('SERVICE_MEMORY_LIMIT_MB')
    const hint = isOverLimit ? ` SERVICE_IMPORT_LIMIT_BYTES of the service has to be ${String(document.size)} at least.` : ''
    throw new CommandFailure(`${id}: ${error.detail}${hint}`, EXIT.failed, { cause: error })
  }
}
