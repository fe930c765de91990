/** Texts of the memories that turns name by hash. */

/** A memory's text; undefined before it was read, null when there is no such memory any more. Asking for it has it read. */
export type TextOf = (hash: string) => string | null | undefined

/** Texts kept of one session, the first out first: those of some hundred turns. */
const TEXTS_KEPT = 2_000
/** Texts asked for at the same time. */
const ASKED_AT_ONCE = 4

interface Texts {
  readonly textOf: TextOf
  close(): void
}

/** `changed` is told when more texts are there. A text that could not be read is asked for again the next time it is wanted. */
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
