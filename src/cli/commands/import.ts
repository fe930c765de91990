/** `engram import`: imports memories from files of other products. Idempotent: the service recognises memories that it holds already. */
import { addTo } from '../../domain/collections/by-key.js'
import { TEXT_LENGTH_MAX, USER_ID_LENGTH_MAX } from '../../domain/limits.js'
import { isLongerThan } from '../../domain/text/characters.js'
import { flawOf } from '../../domain/text/storable.js'
import { requireSessionId, requireUserId } from '../console/arguments.js'
import { interruptible, RESUME_HINT } from '../console/interruption.js'
import { requireFile } from '../console/named-file.js'
import { createOutput } from '../console/output.js'
import { startProgress } from '../console/progress.js'
import { type ImportCounts, openCheckpoint } from '../importing/checkpoint.js'
import { type ImportedItem, type ImportedMemory, type ImportFormat, type Skipped } from '../importing/formats.js'
import { readImport } from '../importing/read-file.js'
import { sessionOfFile, toSessionId } from '../importing/session-name.js'
import { type Connection, type ConnectionOptions, withConnection } from '../service/connection.js'
import { createMemoryWriter, type MemoryWriter } from '../service/memory-writer.js'

export interface ImportOptions extends ConnectionOptions {
  readonly format?: ImportFormat
  readonly session?: string
  readonly user?: string
  readonly dryRun?: true
  readonly json?: true
}

/** Items between two checkpoints, and characters of their texts. */
const WINDOW_ITEMS = 1_000
const WINDOW_CHARACTERS = 8 * 1024 * 1024

export async function importFile(file: string, options: ImportOptions): Promise<void> {
  const { session, user } = options
  if (session !== undefined) requireSessionId('--session', session)
  if (user !== undefined) requireUserId('--user', user)
  await requireFile(file)
  const planned = await plan(file, options)
  if (options.dryRun === true) {
    report(planned, planned.sessions.size, options)
    return
  }
  const counts = await interruptible(RESUME_HINT, (signal) =>
    withConnection(options, (service) => send(file, options, { service, total: planned.read, signal }))
  )
  report({ ...counts, memories: counts.stored + counts.known }, planned.sessions.size, options)
}

interface Plan extends Pick<ImportCounts, 'read' | 'skipped'> {
  readonly memories: number
  readonly sessions: ReadonlySet<string>
}

/** Reads the whole file once in advance, so that nothing is imported from a truncated one. */
async function plan(file: string, options: ImportOptions): Promise<Plan> {
  const sessions = new Set<string>()
  const skipped: Record<string, number> = {}
  let [read, memories] = [0, 0]
  for await (const item of readImport(file, options.format)) {
    read += 1
    const reason = whySkipped(item)
    if (reason !== null) skipped[reason] = (skipped[reason] ?? 0) + 1
    else {
      memories += 1
      sessions.add(sessionOf(item as ImportedMemory, file, options))
    }
  }
  return { read, memories, skipped, sessions }
}

interface Sending {
  readonly service: Connection
  /** Number of items in the file. */
  readonly total: number
  readonly signal: AbortSignal
}

async function send(file: string, options: ImportOptions, { service, total, signal }: Sending): Promise<ImportCounts> {
  const { format, session, user } = options
  const checkpoint = await openCheckpoint(file, { url: service.url, format, session, user })
  const counts = { ...checkpoint.counts, skipped: { ...checkpoint.counts.skipped } }
  // Where it cannot be written, nothing is imported.
  await checkpoint.save(counts)
  const writer = createMemoryWriter(service.engram, signal)
  const progress = startProgress({ label: 'Importing', total })
  let window: ImportedItem[] = []
  let characters = 0
  const flush = async (): Promise<void> => {
    await writeWindow(window, { writer, counts, sessionOf: (memory) => sessionOf(memory, file, options), user })
    window = []
    characters = 0
    await checkpoint.save(counts)
    progress.update(counts.read)
  }
  try {
    let at = 0
    for await (const item of readImport(file, format)) {
      at += 1
      if (at <= checkpoint.counts.read) continue
      window.push(item)
      characters += 'text' in item ? item.text.length : 0
      if (window.length >= WINDOW_ITEMS || characters >= WINDOW_CHARACTERS) await flush()
    }
    await flush()
  } finally {
    progress.end()
  }
  await checkpoint.remove()
  return counts
}

interface WindowOptions {
  readonly writer: MemoryWriter
  readonly counts: ImportCounts
  readonly sessionOf: (memory: ImportedMemory) => string
  readonly user: string | undefined
}

async function writeWindow(window: readonly ImportedItem[], { writer, counts, sessionOf, user }: WindowOptions): Promise<void> {
  const bySession = new Map<string, ImportedMemory[]>()
  for (const item of window) {
    const reason = whySkipped(item)
    if (reason !== null) {
      counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1
      continue
    }
    const memory = item as ImportedMemory
    addTo(bySession, sessionOf(memory), memory)
  }
  for (const [id, memories] of bySession) {
    const given = memories.map((memory) => ({ ...memory, userId: memory.userId ?? user ?? null }))
    const { stored, known } = await writer.write(id, given)
    counts.stored += stored
    counts.known += known
  }
  counts.read += window.length
}

function sessionOf({ conversation }: ImportedMemory, file: string, { session }: ImportOptions): string {
  if (session !== undefined) return session
  return conversation === null ? sessionOfFile(file) : toSessionId(conversation)
}

/**
 * Returns null for an item that becomes a memory. Items that the service would refuse are skipped here, so that they do not fail a whole
 * batch.
 */
function whySkipped(item: ImportedItem): Skipped | null {
  if ('skipped' in item) return item.skipped
  const { text, userId } = item
  if (flawOf(text) !== undefined) return 'text that cannot be stored'
  if (isLongerThan(text, TEXT_LENGTH_MAX)) return 'longer than a memory may be'
  if (userId !== null && flawOf(userId) !== undefined) return 'user id that cannot be stored'
  return userId !== null && isLongerThan(userId, USER_ID_LENGTH_MAX) ? 'user id longer than one may be' : null
}

interface Reported extends Pick<ImportCounts, 'read' | 'skipped'> {
  readonly memories: number
  readonly stored?: number
  readonly known?: number
}

function report({ read, memories, stored, known, skipped }: Reported, sessions: number, { dryRun, json }: ImportOptions): void {
  const output = createOutput()
  if (json === true) {
    output.json({ dry_run: dryRun === true, read, memories, sessions, ...(dryRun !== true && { stored, known }), skipped })
    return
  }
  const done = dryRun === true ? 'would become' : 'became'
  output.line(
    `${String(read)} items ${done} ${String(memories)} memories in ${String(sessions)} ${sessions === 1 ? 'session' : 'sessions'}.`
  )
  if (stored !== undefined && known !== undefined) output.line(`${String(stored)} are new, ${String(known)} were there already.`)
  for (const [reason, count] of Object.entries(skipped)) output.line(`${String(count)} left out: ${reason}.`)
}
