/**
 * The answers of the last seconds. A line is known to be lost only a while after it was, so they may have been lost with it: they are given
 * again over the next one. Who has an answer already does not wait for it any more.
 */
import type { Cancel, Clock } from '../../ports.js'
import type { Headers, NatsLink } from './connection.js'

export interface Answer {
  readonly reply: string
  readonly data: Uint8Array
  readonly headers: Headers
}

export interface RecentAnswers {
  /** Gives it now, and again should the line turn out to have been lost. */
  give(answer: Answer): void
  /** Forgets them. Twice is fine. */
  close(): void
}

/**
 * Milliseconds: 3 s until a line is known to be lost, and 3 s without one, after which the node is another one, whose answers nobody takes.
 */
const KEPT_MS = 6_000

/** Bytes: what a node answers others in these seconds, at a hundred answers a second of 7 KB. The oldest go first. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024

export function createRecentAnswers({ link, clock }: { readonly link: NatsLink; readonly clock: Clock }): RecentAnswers {
  /** With the monotonic milliseconds of each, oldest first. */
  const kept = new Map<Answer, number>()
  let bytes = 0
  let cancel: Cancel | null = null

  const forget = (answer: Answer): void => {
    if (kept.delete(answer)) bytes -= answer.data.length
  }
  /** Goes on until nothing is left: texts do not stay in memory for want of further ones. */
  const forgetOld = (): void => {
    cancel = null
    const nowMs = clock.monotonicMs()
    for (const [answer, atMs] of kept) {
      if (nowMs - atMs < KEPT_MS) {
        cancel = clock.after(atMs + KEPT_MS - nowMs, forgetOld)
        return
      }
      forget(answer)
    }
  }
  const stop = link.onReconnect(() => {
    for (const { reply, data, headers } of kept.keys()) link.publish(reply, data, { headers })
  })

  return {
    give(answer) {
      kept.set(answer, clock.monotonicMs())
      bytes += answer.data.length
      for (const oldest of kept.keys()) {
        if (bytes <= KEPT_BYTES_MAX) break
        forget(oldest)
      }
      cancel ??= clock.after(KEPT_MS, forgetOld)
      link.publish(answer.reply, answer.data, { headers: answer.headers })
    },
    close() {
      stop()
      cancel?.()
      kept.clear()
      bytes = 0
    }
  }
}
