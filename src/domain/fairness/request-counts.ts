/**
 * Requests per remote address in its current window, on this node and, as far as they have reported, on others. A node reports the total
 * that it counted itself since the window began, never a difference and never what others reported, so that repeated, late and reordered
 * reports do no harm. Windows are transmitted as their age, so clocks need not agree.
 */
import { dropOldest } from '../collections/oldest.js'
import { COUNT_MAX } from '../limits.js'

/** Milliseconds of a window. It begins with the first request that any node counts in it. */
export const WINDOW_MS = 60_000

/**
 * Milliseconds, far more than a message takes. Windows of one address whose starts differ by nearly a whole window are consecutive, and the
 * later one counts. Closer starts belong to the same window, opened by nodes that had not heard of each other in time.
 */
const HAND_OVER_MS = 5_000

/** Remote addresses kept, with least-recently-used eviction: about 250 bytes each, and 120 for each other node. */
const ADDRESSES_MAX = 10_000

/** Addresses per message: at most 40 KB, less than the smallest maximum that a broker may be set to. More go into the next message. */
export const REPORTED_MAX = 500

/** Characters of an address: the longest IPv6 address, with a zone. */
const ADDRESS_LENGTH_MAX = 64

const RUN_LENGTH_MAX = 64

/** An address, milliseconds since its window began, and the requests that the sender itself has counted in it. */
type ReportedCount = readonly [address: string, ageMs: number, count: number]

/** Report of one node to another. */
interface CountsReport {
  /** Identifies the process that counted: a node's next process starts again at 0. */
  readonly run: string
  /** At most `REPORTED_MAX` entries. */
  readonly counts: readonly ReportedCount[]
}

export interface RequestCounts {
  /** Total of requests counted here so far. */
  readonly latest: number
  /**
   * Counts one request. Returns the number of requests in the address's window, on all known nodes. Times are monotonic milliseconds of
   * this node.
   */
  count(address: string, nowMs: number): number
  /** Counts changed here after `mark`, those unreported for longest first. The next call continues at the returned mark. */
  since(mark: number, nowMs: number): { readonly counts: readonly ReportedCount[]; readonly mark: number }
  /** Adds the report of node `from`. */
  hear(from: string, report: CountsReport, nowMs: number): void
}

/** Counts of one other node. */
interface Share {
  readonly run: string
  /** Counts of its earlier processes. */
  readonly before: number
  readonly count: number
}

interface Window {
  startMs: number
  own: number
  /** Total of all other nodes. */
  elsewhere: number
  /** `latest` at the last request counted here. */
  changed: number
  /** By node; null before the first report. */
  shares: Map<string, Share> | null
}

export function createRequestCounts(addressesMax = ADDRESSES_MAX): RequestCounts {
  /** Least recently used first. */
  const windows = new Map<string, Window>()
  let latest = 0

  /** Finds the current window, and makes it the most recently used; null when there is none or it is over. */
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
    dropOldest(windows, addressesMax)
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
      const changed: [string, Window][] = []
      // Runs four times a second for each other node over all windows, so it builds no list of them.
      windows.forEach((window, address) => {
        if (window.changed > mark && !isOver(window, nowMs)) changed.push([address, window])
      })
      changed.sort(([, one], [, other]) => one.changed - other.changed)
      const reported = changed.slice(0, REPORTED_MAX)
      return {
        counts: reported.map(([address, { startMs, own }]): ReportedCount => [address, Math.max(0, nowMs - startMs), own]),
        mark: changed.length > reported.length ? (reported.at(-1)?.[1].changed ?? latest) : latest
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

/** Validates a report; null when it is malformed. Unknown fields are dropped. */
export function toCountsReport(body: unknown): CountsReport | null {
  if (typeof body !== 'object' || body === null) return null
  const { run, counts } = body as Partial<Record<keyof CountsReport, unknown>>
  if (!isText(run, RUN_LENGTH_MAX) || !Array.isArray(counts) || counts.length > REPORTED_MAX || !counts.every(isReportedCount)) return null
  return { run, counts }
}

function take(window: Window, from: string, run: string, count: number): void {
  const shares = (window.shares ??= new Map<string, Share>())
  const known = shares.get(from)
  const isSameRun = known?.run === run
  // A late message of the same process has a lower count.
  if (isSameRun && count <= known.count) return
  const before = known === undefined ? 0 : isSameRun ? known.before : known.before + known.count
  shares.set(from, { run, before, count })
  window.elsewhere += isSameRun ? count - known.count : count
}

function isOver({ startMs }: Window, nowMs: number): boolean {
  return nowMs - startMs >= WINDOW_MS
}

function isReportedCount(value: unknown): value is ReportedCount {
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
