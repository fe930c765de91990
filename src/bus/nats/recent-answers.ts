/**
 * Answers of the last seconds, repeated after a reconnection. A lost connection is noticed late, so they may have been lost with it. A node
 * that already has an answer ignores the repetition.
 */
import type { Cancel, Clock } from '../../ports.js'
import type { Headers, NatsLink } from './connection.js'

export interface Answer {
  readonly reply: string
  readonly data: Uint8Array
  readonly headers: Headers
}

interface RecentAnswers {
  /** Sends the answer now, and again after a reconnection. */
  give(answer: Answer): void
  /** Forgets all answers. Idempotent. */
  close(): void
}

/**
 * Milliseconds for which an answer is kept: 3 s until a lost connection is noticed, and 3 s without one, after which the node has a new
 * incarnation whose old answers nobody accepts.
 */
const KEPT_MS = 6_000

/** Maximum bytes kept: the answers of these seconds, at a hundred per second of 7 KB. The oldest are dropped first. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024

export function createRecentAnswers({ link, clock }: { readonly link: NatsLink; readonly clock: Clock }): RecentAnswers {
  /** Time of each answer in monotonic milliseconds, oldest first. */
  const kept = new Map<Answer, number>()
  let bytes = 0
  let cancel: Cancel | null = null

  const forget = (answer: Answer): void => {
    if (kept.delete(answer)) bytes -= answer.data.length
  }
  /** Repeats itself until nothing is left, so that texts leave memory even if no further answers follow. */
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
