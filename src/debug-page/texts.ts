/** Cache of the memories' texts, which turns name by hash. */

/** A memory's text; undefined while it is not loaded, null when the memory no longer exists. Calling it requests the text. */
export type TextOf = (hash: string) => string | null | undefined

/** Maximum texts kept of one session, evicted in order of insertion: those of some hundred turns. */
const TEXTS_KEPT = 2_000
/** Concurrent reads of texts. */
const ASKED_AT_ONCE = 4

interface Texts {
  readonly textOf: TextOf
  close(): void
}

/** `changed` is called when texts have arrived. A failed read is repeated the next time the text is requested. */
export function createTexts(read: (hash: string) => Promise<string | null>, changed: () => void): Texts {
  const known = new Map<string, string | null>()
  const wanted = new Set<string>()
  const asked = new Set<string>()
  let isClosed = false

  const ask = (): void => {
    for (const hash of wanted) {
      if (isClosed || asked.size >= ASKED_AT_ONCE) return
      wanted.delete(hash)
      asked.add(hash)
      read(hash)
        .then((text) => {
          known.set(hash, text)
          const [oldest] = known.keys()
          if (known.size > TEXTS_KEPT && oldest !== undefined) known.delete(oldest)
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
      if (!known.has(hash) && !asked.has(hash)) {
        wanted.add(hash)
        queueMicrotask(ask)
      }
      return known.get(hash)
    },
    close() {
      isClosed = true
      wanted.clear()
    }
  }
}
