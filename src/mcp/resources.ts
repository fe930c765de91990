/** Resources that clients may show and attach: the memories of each session, page by page, and each memory in full. */
import { SESSION_ID_PATTERN } from '../domain/limits.js'
import { beginningOf } from '../domain/text/characters.js'
import { ask } from './calls/failures.js'
import { queryOf, sessionPath, type ToolContext } from './calls/service.js'
import type { ServiceMemory } from './tools/fields.js'
import type { MemoryPage } from './tools/memories.js'
import type { SessionPage } from './tools/sessions.js'

export const MEMORIES_TEMPLATE = 'engram://sessions/{session_id}/memories{?after}'
export const MEMORY_TEMPLATE = 'engram://sessions/{session_id}/memories/{memory_hash}'

export const TEMPLATES = [
  {
    name: 'session-memories',
    title: 'Memories of a session',
    uriTemplate: MEMORIES_TEMPLATE,
    description: 'The memories of a session, oldest first, in pages of at most 64 KiB. `next` is the URI of the next page.',
    mimeType: 'application/json'
  },
  {
    name: 'memory',
    title: 'A memory',
    uriTemplate: MEMORY_TEMPLATE,
    description: 'One memory with its whole text.',
    mimeType: 'application/json'
  }
] as const

/** Maximum bytes of one page: an amount that clients put into a prompt without asking. */
const PAGE_BYTES_MAX = 65_536

/** Maximum characters of one memory in a page; its own URI has the rest. At three bytes each, four such memories fit. */
const PAGE_TEXT_CHARS_MAX = 5_000

/** Memories read at a time. */
const PAGE_MEMORIES_MAX = 100

/** Sessions per listing. */
const LISTED_MAX = 100

/** Protocol: maximum values of one completion. */
const COMPLETIONS_MAX = 100

interface ResourceAddress {
  readonly sessionId: string
  readonly hash?: string
  readonly after?: string
}

const ADDRESS = /^engram:\/\/sessions\/([\w-]{1,128})\/memories(?:\/([0-9a-f]{32})|\?after=([\w-]{1,128}))?$/

/** Returns null for a URI that is not one of a resource. */
export function toResourceAddress(uri: string): ResourceAddress | null {
  const [, sessionId, hash, after] = ADDRESS.exec(uri) ?? []
  if (sessionId === undefined) return null
  return { sessionId, ...(hash !== undefined && { hash }), ...(after !== undefined && { after }) }
}

/** Lists one page of resources: the first page of each session. */
export async function listResources(context: ToolContext, cursor: string | undefined) {
  const path = `/v1/sessions${queryOf({ limit: LISTED_MAX, after: cursor })}`
  const { sessions, next } = await ask<SessionPage>(context, { method: 'GET', path })
  const resources = sessions.map(({ session_id, total_memories, last_active_at }) => ({
    uri: pageUri(session_id),
    name: session_id,
    title: `Memories of ${session_id}`,
    description: `${total_memories} ${total_memories === 1 ? 'memory' : 'memories'}`,
    mimeType: 'application/json',
    annotations: { lastModified: new Date(last_active_at * 1000).toISOString() }
  }))
  return { resources, ...(next !== null && { nextCursor: next }) }
}

/** Returns a resource as JSON. Throws CallFailure. */
export async function readResource(context: ToolContext, { sessionId, hash, after }: ResourceAddress): Promise<string> {
  if (hash !== undefined) return JSON.stringify(await ask(context, { method: 'GET', path: sessionPath(sessionId, `/memories/${hash}`) }))
  const path = sessionPath(sessionId, `/memories${queryOf({ limit: PAGE_MEMORIES_MAX, after })}`)
  return toPage(sessionId, await ask<MemoryPage>(context, { method: 'GET', path }))
}

/** Returns ids of sessions that start with `beginning`, ascending. */
export async function completeSessions(context: ToolContext, beginning: string): Promise<{ values: string[]; hasMore: boolean }> {
  if (beginning !== '' && !SESSION_ID_PATTERN.test(beginning)) return { values: [], hasMore: false }
  const path = `/v1/sessions${queryOf({ limit: COMPLETIONS_MAX + 1, after: justBefore(beginning) })}`
  const { sessions } = await ask<SessionPage>(context, { method: 'GET', path })
  const ids = sessions.map(({ session_id }) => session_id).filter((id) => id.startsWith(beginning))
  return { values: ids.slice(0, COMPLETIONS_MAX), hasMore: ids.length > COMPLETIONS_MAX }
}

function pageUri(sessionId: string, after?: string): string {
  return `engram://sessions/${sessionId}/memories${after === undefined ? '' : `?after=${after}`}`
}

/** Takes as many memories as fit, at least one. A text that is too long for a page is cut, with a reference to the full one. */
function toPage(sessionId: string, { memories, next }: MemoryPage): string {
  const shown: object[] = []
  let bytes = 0
  let last: ServiceMemory | undefined
  for (const memory of memories) {
    const item = toItem(sessionId, memory)
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1
    if (shown.length > 0 && bytes > PAGE_BYTES_MAX - ENVELOPE_BYTES) break
    shown.push(item)
    last = memory
  }
  const isCut = shown.length < memories.length
  const after = isCut ? last?.memory_id : (next ?? undefined)
  return JSON.stringify({ session_id: sessionId, memories: shown, next: after === undefined ? null : pageUri(sessionId, after) })
}

/** Bytes around the memories of a page: two ids and a URI, of at most 128 characters each. */
const ENVELOPE_BYTES = 512

function toItem(sessionId: string, memory: ServiceMemory): object {
  const text = beginningOf(memory.text, PAGE_TEXT_CHARS_MAX)
  const whole = `engram://sessions/${sessionId}/memories/${memory.memory_hash}`
  return text.length < memory.text.length ? { ...memory, text, truncated: true, whole } : { ...memory, truncated: false }
}

/** Characters of session ids, in their sort order. */
const ALPHABET = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const ID_LENGTH_MAX = 128

/** The greatest id below all that start with `beginning`; undefined if there is none. */
function justBefore(beginning: string): string | undefined {
  const start = beginning.slice(0, -1)
  const at = ALPHABET.indexOf(beginning.slice(-1))
  if (at > 0) return (start + ALPHABET.charAt(at - 1)).padEnd(ID_LENGTH_MAX, ALPHABET.slice(-1))
  return start === '' ? undefined : start
}
