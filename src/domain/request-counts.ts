/**
 * Requests of each remote address in its present window, on this node and, as far as they told, on the others. A node tells how many it
 * counted itself since the window began, never a difference and never what it heard: told twice, late or in another order it comes to the
 * same. A window crosses as its age, so clocks need not agree.
 */
import { COUNT_MAX } from './limits.js'

/** Milliseconds of a window, which begins with the first request that any node counts in it. */
export const WINDOW_MS = 60_000

/**
 * Milliseconds, far above what a message takes: windows of one address that began nearly a whole window apart are one after the other, and
 * the later one counts. Closer ones are the same one, found by nodes that did not hear of each other in time.
 */
const HAND_OVER_MS = 5_000

/** Remote addresses that are remembered at once, the least recently used out first: about 250 bytes each, and 120 for each other node. */
const ADDRESSES_MAX = 10_000

/** Addresses in one message: 40 KB at most, in less than the smallest message that a broker may be set to. More follow in the next. */
export const TOLD_MAX = 500

/** Characters of an address: the longest IPv6 address, with a zone. */
const ADDRESS_LENGTH_MAX = 64

const RUN_LENGTH_MAX = 64

/** An address, milliseconds since its window began, and the requests that the sender itself has counted in it. */
export type ToldCount = readonly [address: string, ageMs: number, count: number]

/** What one node tells another. */
export interface ToldCounts {
  /** Names the process that counted: the next one of the same node begins at 0. */
  readonly run: string
  /** Up to `TOLD_MAX`. */
  readonly counts: readonly ToldCount[]
}

export interface RequestCounts {
  /** Grows with every request that is counted here. */
  readonly latest: number
  /**
   * Counts one request. Returns how many there were in the address's window, on all nodes that are known of. Times are monotonic
   * milliseconds of this node.
   */
  count(address: string, nowMs: number): number
  /** What was counted here after `mark`, the longest untold first; a node that has it continues at the mark that comes with it. */
  since(mark: number, nowMs: number): { readonly counts: readonly ToldCount[]; readonly mark: number }
  /** Takes what the node `from` tells. */
  hear(from: string, told: ToldCounts, nowMs: number): void
}

/** The share of one other node. */
interface Share {
  readonly run: string
  /** Of its earlier processes. */
  readonly before: number
  readonly count: number
}

interface Window {
  startMs: number
  own: number
  /** Of all others. */
  elsewhere: number
  /** `latest` of the last request that was counted here. */
  changed: number
  /** By node; null before any is heard of. */
  shares: Map<string, Share> | null
}

export function createRequestCounts(addressesMax = ADDRESSES_MAX): RequestCounts {
  /** The least recently used first. */
  const windows = new Map<string, Window>()
  let latest = 0

  /** As the most recently used; null for none, or one that is over. */
  function find(address: string, nowMs: number): Window | null {
    const window = windows.get(address)
    if (window === undefined) return null
    windows.delete(address)
    if (isOver(window, nowMs)) return null
    windows.set(address, window)
    return window
  }

  function open(address: string, startMs: number): Window {
    const window: Window = { startMs, own: 0, elsewhere: 0, changed: 0, shares: null }
    windows.delete(address)
    windows.set(address, window)
    const [oldest] = windows.keys()
    if (windows.size > addressesMax && oldest !== undefined) windows.delete(oldest)
    return window
  }

  return {
    get latest() {
      return latest
    },
    count(address, nowMs) {
      const window = find(address, nowMs) ?? open(address, nowMs)
      window.own += 1
      window.changed = latest += 1
      return window.own + window.elsewhere
    },
    since(mark, nowMs) {
      const untold: [string, Window][] = []
      // All are looked at, four times a second for each other node: no list of them is made for that.
      windows.forEach((window, address) => {
        if (window.changed > mark && !isOver(window, nowMs)) untold.push([address, window])
      })
      untold.sort(([, one], [, other]) => one.changed - other.changed)
      const told = untold.slice(0, TOLD_MAX)
      return {
        counts: told.map(([address, { startMs, own }]): ToldCount => [address, Math.max(0, nowMs - startMs), own]),
        mark: untold.length > told.length ? (told.at(-1)?.[1].changed ?? latest) : latest
      }
    },
    hear(from, { run, counts }, nowMs) {
      for (const [address, ageMs, count] of counts) {
        if (ageMs >= WINDOW_MS) continue
        const startMs = nowMs - ageMs
        let window = find(address, nowMs) ?? open(address, startMs)
        const isLaterByMs = startMs - window.startMs
        if (isLaterByMs <= HAND_OVER_MS - WINDOW_MS) continue
        if (isLaterByMs >= WINDOW_MS - HAND_OVER_MS) window = open(address, startMs)
        window.startMs = Math.min(window.startMs, startMs)
        take(window, from, run, count)
      }
    }
  }
}

/** What other nodes may tell, and nothing else; null for what no node tells. */
export function toToldCounts(body: unknown): ToldCounts | null {
  if (typeof body !== 'object' || body === null) return null
  const { run, counts } = body as Partial<Record<keyof ToldCounts, unknown>>
  if (!isText(run, RUN_LENGTH_MAX) || !Array.isArray(counts) || counts.length > TOLD_MAX || !counts.every(isToldCount)) return null
  return { run, counts }
}

function take(window: Window, from: string, run: string, count: number): void {
  const shares = (window.shares ??= new Map<string, Share>())
  const known = shares.get(from)
  const isSameRun = known?.run === run
  // An earlier message that comes late says less.
  if (isSameRun && count <= known.count) return
  const before = known === undefined ? 0 : isSameRun ? known.before : known.before + known.count
  shares.set(from, { run, before, count })
  window.elsewhere += isSameRun ? count - known.count : count
}

function isOver({ startMs }: Window, nowMs: number): boolean {
  return nowMs - startMs >= WINDOW_MS
}

function isToldCount(value: unknown): value is ToldCount {
  if (!Array.isArray(value) || value.length !== 3) return false
  const [address, ageMs, count] = value as readonly unknown[]
  return (
    isText(address, ADDRESS_LENGTH_MAX) &&
    typeof ageMs === 'number' &&
    ageMs >= 0 &&
    Number.isSafeInteger(count) &&
    Number(count) > 0 &&
    Number(count) <= COUNT_MAX
  )
}

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= lengthMax
}
