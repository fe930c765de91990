/** Messages between a worker and the switchboard of its machine. Bodies are packed; the switchboard passes them on undecoded. */
import type { Packed } from '../packing.js'

/** What is asked or answered. */
export interface Content extends Packed {
  /** Set where `data` is the ticket of a message that is fetched in parts; `isDivided` is that of the message. */
  readonly isTicket?: true
}

export interface WorkerAsk extends Content {
  readonly type: 'ask'
  /** Number that the asking worker gave the request. */
  readonly number: number
  readonly topic: string
  readonly leftMs: number
}

export type FromWorker =
  | { readonly type: 'serve' | 'unserve' | 'subscribe' | 'unsubscribe'; readonly topic: string }
  | { readonly type: 'publish'; readonly topic: string; readonly data: Uint8Array }
  | WorkerAsk
  /** Nobody waits for the answer any more. */
  | { readonly type: 'withdraw'; readonly number: number }
  | (Content & { readonly type: 'answer'; readonly number: number; readonly isRefusal: boolean })
  | { readonly type: 'check'; readonly number: number }
  | { readonly type: 'keep'; readonly number: number; readonly to: string; readonly id: string; readonly data: Uint8Array }
  | { readonly type: 'take' | 'leave' }
  | { readonly type: 'delivered'; readonly id: string; readonly isDone: boolean }

export type ToWorker =
  | { readonly type: 'published'; readonly topic: string; readonly data: Uint8Array }
  /** `number` is one of the switchboard. */
  | (Content & { readonly type: 'asked'; readonly number: number; readonly topic: string; readonly from: string; readonly leftMs: number })
  | (Content & { readonly type: 'answered'; readonly number: number; readonly isRefusal: boolean })
  | { readonly type: 'done' | 'unreachable'; readonly number: number }
  | { readonly type: 'deliver'; readonly id: string; readonly data: Uint8Array; readonly isRepeated: boolean }

/** A worker's end of its line to the switchboard. Messages keep their order, and none is lost while both processes live. */
export interface WorkerLine {
  send(message: FromWorker): void
  listen(listener: (message: ToWorker) => void): void
}

/** Whether a topic matches a subscription, whose last part may be `*`. */
export function isMatch(subscribed: string, topic: string): boolean {
  if (!subscribed.endsWith('.*')) return subscribed === topic
  const prefix = subscribed.slice(0, -1)
  return topic.startsWith(prefix) && !topic.includes('.', prefix.length)
}
