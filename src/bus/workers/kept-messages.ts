/**
 * Outbox messages between workers, kept in memory until delivered: at least once, in no order. The records of their senders keep them too.
 */
import type { Cancel, Clock } from '../../ports.js'
import type { ToWorker } from './messages.js'

/** Milliseconds for which a message is kept and its id is deduplicated. */
const KEPT_MS = 120_000

/** Maximum bytes of all waiting messages. When a message finds no room, its sender delivers it later, from its record. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024

/** Concurrent deliveries of one worker. */
const MESSAGES_AT_ONCE = 16

/** Milliseconds before an undelivered message is redelivered, doubled each time. */
const AGAIN_MS_MIN = 100
const AGAIN_MS_MAX = 30_000

export interface KeptMessages {
  /** Returns false when there is no room. A message with a known id counts as kept. */
  keep(message: { readonly to: string; readonly id: string; readonly data: Uint8Array }): boolean
  /** From now on, delivers the messages for this worker. */
  take(name: string, send: (message: ToWorker) => void): void
  /** Stops delivering to this worker, unless its next process has taken over. */
  leave(name: string, send: (message: ToWorker) => void): void
  settle(name: string, delivered: { readonly id: string; readonly isDone: boolean }): void
}

interface Kept {
  readonly id: string
  readonly since: number
  /** Null: the message was delivered, and only its id is kept. */
  data: Uint8Array | null
  deliveries: number
  isOut: boolean
  /** Monotonic milliseconds before which it is not delivered. */
  dueAtMs: number
}

interface Box {
  /** By id, oldest first. */
  readonly messages: Map<string, Kept>
  send: ((message: ToWorker) => void) | null
  cancelLook: Cancel
}

export function createKeptMessages({ clock }: { readonly clock: Clock }): KeptMessages {
  const boxes = new Map<string, Box>()
  let bytes = 0

  function boxOf(name: string): Box {
    const known = boxes.get(name) ?? { messages: new Map<string, Kept>(), send: null, cancelLook: () => undefined }
    boxes.set(name, known)
    return known
  }
  function empty(message: Kept): void {
    bytes -= message.data?.length ?? 0
    message.data = null
  }
  function forgetOld({ messages }: Box): void {
    for (const [id, message] of messages) {
      if (clock.monotonicMs() - message.since < KEPT_MS) return
      empty(message)
      messages.delete(id)
    }
  }
  /** Delivers what is due, and schedules the next delivery. */
  function deliver(box: Box): void {
    box.cancelLook()
    forgetOld(box)
    const waiting = [...box.messages.values()].filter(({ data }) => data !== null)
    let out = waiting.filter(({ isOut }) => isOut).length
    let nextMs = Infinity
    for (const message of waiting) {
      if (box.send === null || out >= MESSAGES_AT_ONCE) return
      if (message.isOut || message.data === null) continue
      const leftMs = message.dueAtMs - clock.monotonicMs()
      if (leftMs > 0) {
        nextMs = Math.min(nextMs, leftMs)
        continue
      }
      message.isOut = true
      message.deliveries += 1
      out += 1
      box.send({ type: 'deliver', id: message.id, data: message.data, isRepeated: message.deliveries > 1 })
    }
    if (nextMs < Infinity) box.cancelLook = clock.after(nextMs, () => deliver(box))
  }

  return {
    keep({ to, id, data }) {
      const box = boxOf(to)
      forgetOld(box)
      if (box.messages.has(id)) return true
      if (bytes + data.length > KEPT_BYTES_MAX) return false
      bytes += data.length
      box.messages.set(id, { id, since: clock.monotonicMs(), data, deliveries: 0, isOut: false, dueAtMs: 0 })
      deliver(box)
      return true
    },
    take(name, send) {
      const box = boxOf(name)
      box.send = send
      deliver(box)
    },
    leave(name, send) {
      const box = boxes.get(name)
      if (box?.send !== send) return
      box.send = null
      box.cancelLook()
      for (const message of box.messages.values()) message.isOut = false
    },
    settle(name, { id, isDone }) {
      const box = boxOf(name)
      const message = box.messages.get(id)
      if (message?.isOut !== true) return
      message.isOut = false
      if (isDone) empty(message)
      else message.dueAtMs = clock.monotonicMs() + Math.min(AGAIN_MS_MAX, AGAIN_MS_MIN * 2 ** (message.deliveries - 1))
      deliver(box)
    }
  }
}
