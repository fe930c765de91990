/** Keeps the page up to date: replays past events, follows new ones, and reconnects. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DebugEvent } from '../client/optional-surfaces.js'
import { pause } from '../client/attempts.js'
import { isPassing } from '../client/debug.js'
import { isEngramError } from '../client/engram-error.js'
import { SYSTEM_TIMERS } from '../client/timers.js'
import { wordsOf } from './asking.js'
import { createBeats } from './beats.js'
import { type DebugClient, SESSIONS_MAX, type StoredSession } from './debug-client.js'
import { createLiveStore, type Live, type LiveStore } from './live-store.js'

/** Milliseconds between two updates while events arrive. */
const REFRESH_MS = 1_000

/** Milliseconds between two reads without events: with SERVICE_DEBUG_TRACE off there are none. */
const LOOK_MS = 3_000

/** Milliseconds between two reads of the list of sessions; the graph shows a new session earlier. */
const LIST_MS = 60_000

/** Live state of the service. `refused` is called when the token is no longer valid. */
export function useLive(client: DebugClient, { signal, refused }: { signal: AbortSignal; refused: (detail: string) => void }): Live {
  const store = useMemo(createLiveStore, [client])
  const live = useContextOf(store)
  useEffect(() => {
    const beats = createBeats(store.trigger.beat, () => document.hidden, SYSTEM_TIMERS)
    const inbox = createInbox((events) => {
      store.trigger.told({ events })
      beats.ask()
    })
    const looking = setInterval(beats.ask, LOOK_MS)
    document.addEventListener('visibilitychange', beats.ask)
    signal.addEventListener('abort', () => {
      inbox.close()
      beats.close()
      clearInterval(looking)
      document.removeEventListener('visibilitychange', beats.ask)
    })
    follow(client, { inbox, store, signal }).catch((error: unknown) => {
      if (!signal.aborted) refused(wordsOf(error))
    })
  }, [client])
  useEffect(() => {
    // The next beat reads again, and a broken connection is reported separately.
    client.topology().then(
      (topology) => store.trigger['topology.read']({ topology }),
      () => undefined
    )
  }, [client, live.beat, live.connection])
  useEffect(() => {
    // The connection reports failures; the next read updates the list.
    const read = (): void => void listSessions(client).then(store.trigger['sessions.listed'], () => undefined)
    read()
    const reading = setInterval(read, LIST_MS)
    return () => clearInterval(reading)
  }, [client])
  return live
}

/** Redraws whenever the store changes. */
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
  /** Discards the events that wait. */
  empty(): void
  close: () => void
}

/** Delivers events in batches, the first at once, so that a burst redraws the page once. */
function createInbox(deliver: (events: readonly DebugEvent[]) => void): Inbox {
  let waiting: DebugEvent[] = []
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
      // Waits for the next task, so that the events of one turn are delivered together.
      timer ??= setTimeout(flush, 0)
    },
    empty() {
      waiting = []
    },
    close: () => clearTimeout(timer)
  }
}

interface Following {
  readonly inbox: Inbox
  readonly store: LiveStore
  readonly signal: AbortSignal
}

/** Reads the state charts and the kept events. Retries while the service is unreachable or overloaded; rejects for any other error. */
async function begun(client: DebugClient, { store, signal }: Omit<Following, 'inbox'>) {
  for (;;) {
    try {
      return { machines: await client.machines(), kept: await client.recent() }
    } catch (error) {
      if (!isEngramError(error) || !isPassing(error)) throw error
      store.trigger.disconnected({ at: new Date() })
      await pause(LOOK_MS, signal, SYSTEM_TIMERS)
    }
  }
}

/** Runs until the page is left. Rejects when the service refuses; a broken connection is re-established. */
async function follow(client: DebugClient, { inbox, store, signal }: Following): Promise<void> {
  const { machines, kept } = await begun(client, { store, signal })
  store.trigger['machines.read']({ machines })
  inbox.add(kept)
  const onConnection = (isOpen: boolean): void => (isOpen ? store.trigger.connected() : store.trigger.disconnected({ at: new Date() }))
  for await (const told of client.events({ since: kept.at(-1)?.seq ?? 0, onConnection })) {
    if ('seq' in told) inbox.add([told])
    else if (told.missed !== null) store.trigger.missed({ count: told.missed })
    else {
      inbox.empty()
      store.trigger.restarted()
    }
  }
}
