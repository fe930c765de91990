/** Sessions of one licence subject, over HTTP: each as the interface exports it, and takes it in again. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { CommandFailure } from '../console/failure.js'
import { type Connection, ServiceRefusal } from '../service/connection.js'
import type { BackupWriter } from './backup-writer.js'
import { readLines } from './file-lines.js'
import { HEAD_BYTES } from './format.js'

interface SessionPage {
  readonly sessions: readonly { readonly session_id: string }[]
  readonly next: string | null
}

const PAGE_LIMIT = 1_000
const NOT_FOUND = 404
const TOO_LARGE = 413

const LINE = /^\{"type":"session","id":"([A-Za-z0-9_-]{1,128})","document":/

export function beginsSession(head: string): boolean {
  return LINE.test(head)
}

/** Ids in ascending order, of those after `after`. */
export async function listSessions(service: Connection, signal: AbortSignal, after?: string): Promise<string[]> {
  const ids: string[] = []
  for (let last = after; ;) {
    const query = new URLSearchParams({ limit: String(PAGE_LIMIT), ...(last !== undefined && { after: last }) })
    const { sessions, next } = await service.ask<SessionPage>({ path: `/v1/sessions?${query.toString()}`, signal })
    ids.push(...sessions.map(({ session_id }) => session_id))
    if (next === null) return ids
    last = next
  }
}

/** Resolves to how many sessions were gone when their turn came. */
export async function backUpSessions(
  service: Connection,
  writer: BackupWriter,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, total: number) => void }
): Promise<number> {
  const after = writer.last === null ? undefined : LINE.exec(writer.last)?.[1]
  const ids = await listSessions(service, signal, after)
  const total = writer.items + ids.length
  let done = writer.items
  let gone = 0
  for (const id of ids) {
    onProgress(done, total)
    const answer = await service.open({ path: `/v1/session/${id}/export`, signal }).catch((error: unknown) => {
      if (error instanceof ServiceRefusal && error.status === NOT_FOUND) return null
      throw error
    })
    if (answer?.body == null) gone += 1
    else {
      await writer.write(`{"type":"session","id":"${id}","document":`)
      for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
        // JSON needs no line breaks: one would end the line of the file.
        if (chunk.includes(0x0a)) throw new CommandFailure('The service exports in a form that this program does not know.')
        await writer.write(chunk)
      }
      await writer.write('}\n')
      writer.endItem()
    }
    done += 1
  }
  onProgress(done, total)
  return gone
}

export interface RestoredSessions {
  readonly restored: number
  /** There already, and left as they were. */
  readonly kept: number
}

export interface RestoreSessionsOptions {
  readonly path: string
  readonly replace: boolean
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** `path` is a backup that was checked. */
export async function restoreSessions(service: Connection, options: RestoreSessionsOptions): Promise<RestoredSessions> {
  const { path, replace, signal, onProgress } = options
  const known = new Set(replace ? [] : await listSessions(service, signal))
  let [restored, kept] = [0, 0]
  for await (const { head, offset, bytes } of readLines(path, HEAD_BYTES, signal)) {
    const [prefix, id] = LINE.exec(head.toString('utf8')) ?? []
    if (prefix !== undefined && id !== undefined) {
      if (known.has(id)) kept += 1
      else {
        await importSession(service, id, { path, start: offset + prefix.length, bytes: bytes - prefix.length - 1, signal })
        restored += 1
      }
    }
    onProgress(offset + bytes + 1)
  }
  return { restored, kept }
}

interface Part {
  readonly path: string
  readonly start: number
  readonly bytes: number
  readonly signal: AbortSignal
}

async function importSession(service: Connection, id: string, { path, start, bytes, signal }: Part): Promise<void> {
  const stream = () => Readable.toWeb(createReadStream(path, { start, end: start + bytes - 1 })) as ReadableStream<Uint8Array>
  try {
    const answer = await service.open({ method: 'POST', path: `/v1/session/${id}/import`, body: { stream, bytes }, signal })
    await answer.body?.cancel()
  } catch (error) {
    if (!(error instanceof ServiceRefusal)) throw error
    const hint = error.status === TOO_LARGE ? ` SERVICE_BODY_LIMIT_BYTES of the service has to be ${String(bytes)} at least.` : ''
    throw new CommandFailure(`${id}: ${error.message}${hint}`, error.exitCode, { cause: error })
  }
}
