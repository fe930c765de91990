/** Cache of the memories' texts, which turns name by hash. */
import type { Timers } from '../client/timers.js'
import { dropOldest } from '../domain/collections/oldest.js'

/** A memory's text; undefined while it is not loaded, null when the memory no longer exists. Calling it requests the text. */
export type TextOf = (hash: string) => string | null | undefined

/** Maximum texts kept of one session, evicted in order of insertion: those of some hundred turns. */
const TEXTS_KEPT = 2_000
/** Concurrent reads of texts. */
const ASKED_AT_ONCE = 4
/** Maximum texts read per `ASKED_WITHIN_MS`: under load each turn names others, and the rate limit is for the application's calls. */
const ASKED_MAX = 40
const ASKED_WITHIN_MS = 20_000
/** Maximum texts that wait to be read, the latest requested first: those of the visible turns. */
const WANTED_MAX = 200

interface Texts {
  readonly textOf: TextOf
  close(): void
}

/** `changed` is called when texts have arrived. A failed read is repeated the next time the text is requested. */
export function createTexts(read: (hash: string) => Promise<string | null>, changed: () => void, timers: Pick<Timers, 'after'>): Texts {
  const texts = new Map<string, string | null>()
  const wanted = new Set<string>()
  const asked = new Set<string>()
  let askedLately = 0
  let resting: (() => void) | undefined
  let isClosed = false

  const ask = (): void => {
    for (const hash of [...wanted].reverse()) {
      if (isClosed || asked.size === ASKED_AT_ONCE || askedLately === ASKED_MAX) return
      wanted.delete(hash)
      asked.add(hash)
      askedLately += 1
      resting ??= timers.after(ASKED_WITHIN_MS, () => {
        resting = undefined
        askedLately = 0
        ask()
      })
      read(hash)
        .then((text) => {
          texts.set(hash, text)
          dropOldest(texts, TEXTS_KEPT)
        })
        .catch(() => undefined)
        .finally(() => {
          asked.delete(hash)
          ask()
          if (!isClosed && asked.size === 0) changed()
        })
    }
  }
  return {
    textOf(hash) {
      if (!texts.has(hash) && !asked.has(hash)) {
        wanted.delete(hash)
        wanted.add(hash)
        dropOldest(wanted, WANTED_MAX)
        queueMicrotask(ask)
      }
      return texts.get(hash)
    },
    close() {
      isClosed = true
      wanted.clear()
      resting?.()
    }
  }
}
