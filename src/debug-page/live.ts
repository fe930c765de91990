/** Keeps the page up to date: replays what has happened, follows what happens, and comes back when the connection breaks. */
import { useEffect, useState } from 'preact/hooks'
import { RefusedError, type ChartState, type DebugClient, type StoredSession, type Topology } from './debug-client.js'
import { withEvents, type DebugEvent } from './history.js'

export type Connection = 'connecting' | 'live' | 'broken'

export interface Live {
  readonly connection: Connection
  readonly events: readonly DebugEvent[]
  /** Events that this page was too slow for. */
  readonly missed: number
  readonly topology: Topology
  readonly machines: readonly ChartState[]
  /** Sessions as they are listed, in memory or stored, by id. */
  readonly sessions: readonly StoredSession[]
  /** True when there are more than the page lists. */
  readonly areMoreSessions: boolean
  /** Goes up when something has happened, and now and then: what is asked for again by it stays within the rate limit. */
  readonly beat: number
}

/** Milliseconds between two looks at the graph while events come in. */
const REFRESH_MS = 1_000

/** Milliseconds between two looks when nothing was told: with SERVICE_DEBUG_TRACE off, looking is all there is. */
const LOOK_MS = 3_000

/** Milliseconds after which a broken connection is tried again. */
const RETRY_MS = 2_000

/** Milliseconds between two readings of the list of sessions: a new one shows in the graph before. */
const LIST_MS = 60_000

/** Sessions that are listed: as many as a node holds by default. */
const SESSIONS_MAX = 10_000

const NOTHING: Live = {
  connection: 'connecting',
  events: [],
  missed: 0,
  topology: { nodes: [], edges: [], more: 0 },
  machines: [],
  sessions: [],
  areMoreSessions: false,
  beat: 0,
}

/** What the service tells. `refused` is called when the token no longer holds. */
export function useLive(client: DebugClient, { signal, refused }: { signal: AbortSignal; refused: (detail: string) => void }): Live {
  const [live, setLive] = useState<Live>(NOTHING)
  useEffect(() => {
    const update = (change: (live: Live) => Partial<Live>): void => setLive((before) => ({ ...before, ...change(before) }))
    const inbox = createInbox((events) => update((before) => ({ events: withEvents(before.events, events), beat: before.beat + 1 })))
    const looking = setInterval(() => update((before) => ({ beat: before.beat + 1 })), LOOK_MS)
    signal.addEventListener('abort', () => {
      inbox.close()
      clearInterval(looking)
    })
    follow(client, { signal, inbox, update }).catch((error: unknown) => {
      if (!signal.aborted) refused(error instanceof Error ? error.message : 'The service does not answer')
    })
  }, [client])
  useEffect(() => {
    // The next beat looks again, and a broken connection is told of by itself.
    client.topology().then(
      // The same graph stays the same object, so that what is made of it is not made again.
      (topology) => setLive((before) => (JSON.stringify(topology) === JSON.stringify(before.topology) ? before : { ...before, topology })),
      () => undefined,
    )
  }, [client, live.beat, live.connection])
  useEffect(() => {
    // A failure is told of by the connection; the next reading brings the list.
    const read = (): void =>
      void listSessions(client).then(
        (listed) => setLive((before) => ({ ...before, ...listed })),
        () => undefined,
      )
    read()
    const reading = setInterval(read, LIST_MS)
    return () => clearInterval(reading)
  }, [client])
  return live
}

async function listSessions(client: DebugClient): Promise<Pick<Live, 'sessions' | 'areMoreSessions'>> {
  const sessions: StoredSession[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<DebugClient['sessions']>> = await client.sessions(after)
    sessions.push(...page.items)
    after = page.next
  } while (after !== null && sessions.length < SESSIONS_MAX)
  return { sessions, areMoreSessions: after !== null }
}

interface Inbox {
  add(events: readonly DebugEvent[]): void
  lastSeq(): number
  close: () => void
}

/** Hands events on in batches, the first at once: a burst redraws the page once. */
function createInbox(deliver: (events: readonly DebugEvent[]) => void): Inbox {
  let waiting: DebugEvent[] = []
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    if (waiting.length === 0) return
    deliver(waiting)
    waiting = []
    timer = setTimeout(flush, REFRESH_MS)
  }
  return {
    add(events) {
      waiting.push(...events)
      last = events.at(-1)?.seq ?? last
      // A moment, so that the events of one turn arrive together.
      timer ??= setTimeout(flush, 0)
    },
    lastSeq: () => last,
    close: () => clearTimeout(timer)
  }
}

interface Following {
  readonly signal: AbortSignal
  readonly inbox: Inbox
  readonly update: (change: (live: Live) => Partial<Live>) => void
}

/** Until the page is left. Rejects when the service refuses the token; any other failure is tried again. */
async function follow(client: DebugClient, { signal, inbox, update }: Following): Promise<void> {
  const machines = await client.machines()
  update(() => ({ machines }))
  while (!signal.aborted) {
    try {
      if (inbox.lastSeq() === 0) inbox.add(await client.recent())
      await client.follow(inbox.lastSeq(), {
        opened: () => update(() => ({ connection: 'live' })),
        told: (event) => inbox.add([event]),
        missed: ({ missed }) => update((before) => ({ missed: before.missed + missed }))
      })
    } catch (error) {
      if (error instanceof RefusedError && (error.status === 401 || error.status === 402)) throw error
    }
    update(() => ({ connection: 'broken' }))
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
    })
  }
}
