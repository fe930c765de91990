/** Entries of one catalog, ordered by last use, with an index of the open ones by subject. */
import { mapOf, removeFrom } from '../../src/domain/collections/by-key.js'
import { type Entry, isOpen } from './entry.js'

const NOTHING_OPEN: ReadonlyMap<string, Entry> = new Map()

export interface Registry {
  /** Number of open entries: the live actors. */
  readonly activeCount: number
  get(key: string): Entry | undefined
  add(entry: Entry): void
  remove(entry: Entry): void
  /** Makes the entry the most recently used one. Constant time. */
  touch(entry: Entry, nowMs: number): void
  noteOpened(entry: Entry): void
  noteClosed(entry: Entry): void
  /** All entries: live, activating, ending or dormant. Least recently used first. */
  entries(): IterableIterator<Entry>
  /** A subject's open entries by id, least recently used first. */
  openOf(subject: string): ReadonlyMap<string, Entry>
  /** The open entry of a subject that a client used last. Linear in the subject's open entries. */
  mostRecent(subject: string): Entry | undefined
  /** Resolves once there is no entry. */
  whenEmpty(): Promise<void>
}

export function createRegistry(): Registry {
  const entries = new Map<string, Entry>()
  /** Open entries by subject and id, least recently used first. */
  const subjects = new Map<string, Map<string, Entry>>()
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
      // A Map keeps insertion order: deleting and setting a key again moves it to the end.
      if (entries.delete(entry.key)) entries.set(entry.key, entry)
      if (isOpen(entry)) putLast(subjects, entry)
    },
    noteOpened(entry) {
      activeCount += 1
      putLast(subjects, entry)
    },
    noteClosed(entry) {
      activeCount -= 1
      removeFrom(subjects, entry.address.subject, entry.address.id)
    },
    entries: () => entries.values(),
    openOf: (subject) => subjects.get(subject) ?? NOTHING_OPEN,
    mostRecent(subject) {
      let last: { readonly entry: Entry; readonly usedAtMs: number } | undefined
      for (const entry of subjects.get(subject)?.values() ?? []) {
        const { usedAtMs } = entry
        if (usedAtMs !== null && (last === undefined || usedAtMs >= last.usedAtMs)) last = { entry, usedAtMs }
      }
      return last?.entry
    },
    whenEmpty: () => (entries.size === 0 ? Promise.resolve() : new Promise((resolve) => emptied.push(resolve)))
  }
}

function putLast(subjects: Map<string, Map<string, Entry>>, entry: Entry): void {
  const { subject, id } = entry.address
  const own = mapOf(subjects, subject)
  own.delete(id)
  own.set(id, entry)
}
