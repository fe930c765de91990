/** Keeps the page up to date: replays what has happened, follows what happens, and comes back when the connection breaks. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { RefusedError } from './asking.js'
import { type DebugClient, SESSIONS_MAX, type StoredSession } from './debug-client.js'
import type { DebugEvent } from './history.js'
import { createLiveStore, type Live, type LiveStore } from './live-store.js'

/** Milliseconds between two looks at the graph while events come in. */
const REFRESH_MS = 1_000

/** Milliseconds between two looks when nothing was told: with SERVICE_DEBUG_TRACE off, looking is all there is. */
const LOOK_MS = 3_000

/** Milliseconds after which a broken connection is tried again. */
const RETRY_MS = 2_000

/** Milliseconds between two readings of the list of sessions: a new one shows in the graph before. */
const LIST_MS = 60_000

/** What the service tells. `refused` is called when the token no longer holds. */
export function useLive(client: DebugClient, { signal, refused }: { signal: AbortSignal; refused: (detail: string) => void }): Live {
  const store = useMemo(createLiveStore, [client])
  const live = useContextOf(store)
  useEffect(() => {
    const inbox = createInbox((events) => store.trigger.told({ events }))
    const looking = setInterval(() => store.trigger.beat(), LOOK_MS)
    signal.addEventListener('abort', () => {
      inbox.close()
      clearInterval(looking)
    })
    follow(client, { signal, inbox, store }).catch((error: unknown) => {
      if (!signal.aborted) refused(error instanceof Error ? error.message : 'The service does not answer')
    })
  }, [client])
  useEffect(() => {
    // The next beat looks again, and a broken connection is told of by itself.
    client.topology().then(
      (topology) => store.trigger['topology.read']({ topology }),
      () => undefined
    )
  }, [client, live.beat, live.connection])
  useEffect(() => {
    // A failure is told of by the connection; the next reading brings the list.
    const read = (): void => void listSessions(client).then(store.trigger['sessions.listed'], () => undefined)
    read()
    const reading = setInterval(read, LIST_MS)
    return () => clearInterval(reading)
  }, [client])
  return live
}

/** What a store holds, drawn again when it changes. */
function useContextOf(store: LiveStore): Live {
  const [live, setLive] = useState(store.getSnapshot().context)
  useEffect(() => {
    setLive(store.getSnapshot().context)
    const subscription = store.subscribe(({ context }) => setLive(context))
    return () => subscription.unsubscribe()
  }, [store])
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
  readonly store: LiveStore
}

/** Until the page is left. Rejects when the service refuses the token; any other failure is tried again. */
async function follow(client: DebugClient, { signal, inbox, store }: Following): Promise<void> {
  store.trigger['machines.read']({ machines: await client.machines() })
  while (!signal.aborted) {
    try {
      if (inbox.lastSeq() === 0) inbox.add(await client.recent())
      await client.follow(inbox.lastSeq(), {
        opened: () => store.trigger.connected(),
        told: (event) => inbox.add([event]),
        missed: ({ missed }) => store.trigger.missed({ count: missed })
      })
    } catch (error) {
      if (error instanceof RefusedError && (error.status === 401 || error.status === 402)) throw error
    }
    store.trigger.disconnected()
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS)
    })
  }
}
