/** Messages between workers of one machine, and between each and the switchboard, which passes their packed bodies on undecoded. */
import type { Duplex } from 'node:stream'
import { DomainError } from '../../domain/errors.js'
import type { Packed } from '../packing.js'

/**
 * Maximum bytes on their way to one worker that it has not read. Beyond that, asks for it are refused as `busy`, and what is published and
 * its answers are dropped: a worker that reads so little is about to be left out by the others.
 */
export const UNREAD_BYTES_MAX = 64 * 1024 * 1024

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

export interface WorkerAnswer extends Content {
  readonly type: 'answer'
  readonly number: number
  readonly isRefusal: boolean
}

export type FromWorker =
  | { readonly type: 'serve' | 'unserve' | 'subscribe' | 'unsubscribe'; readonly topic: string }
  | { readonly type: 'publish'; readonly topic: string; readonly data: Uint8Array }
  | WorkerAsk
  /** Nobody waits for the answer any more. */
  | { readonly type: 'withdraw'; readonly number: number }
  | WorkerAnswer
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
  /** Hands over the end of each line to another worker, with its name. Absent where none is met. */
  meet?(listener: (name: string, socket: Duplex) => void): void
}

/** Refusal of an ask for a worker to which too many bytes are on their way. */
export function doesNotKeepUp(): DomainError {
  return new DomainError('busy', 'The worker that has this does not keep up at the moment')
}

/** Worker that serves a topic, `engram.nodes.<worker>…`: what is sent there is kept for it. */
export function workerOf(topic: string): string {
  return topic.split('.')[2] ?? topic
}

/** Whether a topic matches a subscription, whose last part may be `*`. */
export function isMatch(subscribed: string, topic: string): boolean {
  if (!subscribed.endsWith('.*')) return subscribed === topic
  const prefix = subscribed.slice(0, -1)
  return topic.startsWith(prefix) && !topic.includes('.', prefix.length)
}
