/** The entries of one catalog in the order of their last use, and which of them can answer. */
import { type Entry, isOpen } from './entry.js'

interface SubjectEntries {
  /** Open entries by id, least recently used first. */
  readonly open: Map<string, Entry>
  /** Null when it has to be looked for. */
  last: Entry | null
}

const NOTHING_OPEN: ReadonlyMap<string, Entry> = new Map()

export interface Registry {
  /** Entries that are open: the live actors. */
  readonly activeCount: number
  get(key: string): Entry | undefined
  add(entry: Entry): void
  remove(entry: Entry): void
  /** Makes the entry the most recently used one. Constant time. */
  touch(entry: Entry, nowMs: number): void
  noteOpened(entry: Entry): void
  noteClosed(entry: Entry): void
  /** All of them: live, on their way in or out, and dormant. Least recently used first. */
  entries(): IterableIterator<Entry>
  /** A subject's open entries, least recently used first, and how many they are. */
  openOf(subject: string): { readonly size: number; values(): IterableIterator<Entry> }
  /** The most recently used open entry of a subject. */
  mostRecent(subject: string): Entry | undefined
  /** Ids of a subject's open entries, least recently used first. */
  activeIds(subject: string): string[]
  /** Resolves once there is no entry. */
  whenEmpty(): Promise<void>
}

export function createRegistry(): Registry {
  const entries = new Map<string, Entry>()
  const subjects = new Map<string, SubjectEntries>()
  let activeCount = 0
  let emptied: (() => void)[] = []

  return {
    get activeCount() {
      return activeCount
    },
    get: (key) => entries.get(key),
    add(entry) {
      entries.set(entry.key, entry)
    },
    remove(entry) {
      if (entries.get(entry.key) === entry) entries.delete(entry.key)
      if (entries.size > 0) return
      const called = emptied
      emptied = []
      for (const listener of called) listener()
    },
    touch(entry, nowMs) {
      entry.touchedAtMs = nowMs
      // A Map keeps the order of insertion: taken out and put in again, a key is the last one.
      if (entries.delete(entry.key)) entries.set(entry.key, entry)
      if (isOpen(entry)) putLast(subjects, entry)
    },
    noteOpened(entry) {
      activeCount += 1
      putLast(subjects, entry)
    },
    noteClosed(entry) {
      activeCount -= 1
      const { subject, id } = entry.address
      const own = subjects.get(subject)
      if (own === undefined) return
      own.open.delete(id)
      if (own.last === entry) own.last = null
      if (own.open.size === 0) subjects.delete(subject)
    },
    entries: () => entries.values(),
    openOf: (subject) => subjects.get(subject)?.open ?? NOTHING_OPEN,
    mostRecent(subject) {
      const own = subjects.get(subject)
      if (own === undefined) return undefined
      // The most recently used one is the last to be evicted, so this walk is rare: its deletion only.
      if (own.last === null) for (const entry of own.open.values()) own.last = entry
      return own.last ?? undefined
    },
    activeIds: (subject) => [...(subjects.get(subject)?.open.keys() ?? [])],
    whenEmpty: () => (entries.size === 0 ? Promise.resolve() : new Promise((resolve) => emptied.push(resolve)))
  }
}

function putLast(subjects: Map<string, SubjectEntries>, entry: Entry): void {
  const { subject, id } = entry.address
  let own = subjects.get(subject)
  if (own === undefined) {
    own = { open: new Map(), last: null }
    subjects.set(subject, own)
  }
  own.open.delete(id)
  own.open.set(id, entry)
  own.last = entry
}
