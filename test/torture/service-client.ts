/** HTTP requests to a service, and what their answers mean. */
import type { Outcome, Sighting } from './account.js'
import type { Write } from './operations.js'
import { entityToken, tokenOf } from './tokens.js'

export interface Answer {
  readonly outcome: Outcome
  /** Null if no answer came. */
  readonly status: number | null
}

/** Memories per page: the maximum of a listing. */
const PAGE = 1000

/** Most tries of a read: it is refused while late writes of the previous process still reach the storage. */
const READS_MAX = 20

/** Sends a write. The status decides the outcome, whether or not the body still arrives. Throws for an unexpected status. */
export async function sendWrite(url: string, { method, path, body }: Write): Promise<Answer> {
  const payload = body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  let status: number
  try {
    const response = await fetch(new URL(path, url), { method, ...payload })
    status = response.status
    await response.arrayBuffer().catch(() => undefined)
    if (status < 300) return { outcome: 'acknowledged', status }
  } catch {
    return { outcome: 'unknown', status: null }
  }
  if (status === 404 || status === 409) return { outcome: 'refused', status }
  if (status === 503) return { outcome: 'unknown', status }
  throw new Error(`${method} ${path} was answered with ${status}`)
}

interface Metrics {
  readonly created_at: number
  readonly interaction_count: number
  readonly total_memories: number
  readonly entity_count: number
}

interface Page {
  readonly memories: readonly { readonly memory_id: string; readonly text: string }[]
  readonly next: string | null
}

interface Entities {
  readonly entities: readonly { readonly key: string; readonly value: string }[]
}

/** Reads everything visible of a session; null if it does not exist. */
export async function observe(url: string, session: string): Promise<Sighting | null> {
  const metrics = await read<Metrics>(url, `/v1/metrics/${session}`)
  if (metrics === null) return null
  const texts: string[] = []
  for (let after: string | null = ''; after !== null;) {
    const page: Page | null = await read<Page>(url, `/v1/session/${session}/memories?limit=${PAGE}${after === '' ? '' : `&after=${after}`}`)
    texts.push(...(page?.memories ?? []).map(({ text }) => text))
    after = page?.next ?? null
  }
  const listed = (await read<Entities>(url, `/v1/session/${session}/entities?max_results=${PAGE}`))?.entities ?? []
  const entities = listed.map(({ key, value }) => {
    const token = tokenOf(value)
    return token === null ? null : entityToken(key, token)
  })
  return {
    tokens: [...texts.map(tokenOf), ...entities],
    createdAt: metrics.created_at,
    interactionCount: metrics.interaction_count,
    memoryCount: metrics.total_memories,
    entityCount: metrics.entity_count
  }
}

/** Null for 404. */
async function read<Body>(url: string, path: string): Promise<Body | null> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(new URL(path, url))
    const body = (await response.json()) as Body
    if (response.status === 200) return body
    if (response.status === 404) return null
    if (response.status !== 503 || attempt === READS_MAX) throw new Error(`GET ${path} was answered with ${response.status}`)
  }
}
