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

interface KeptMessages {
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
  /** Cancels the wait for its redelivery. */
  cancelWait: Cancel
}

/** Messages for one worker. Deliveries look only at what is due, however many ids are kept. */
interface Box {
  /** By id, oldest first. */
  readonly messages: Map<string, Kept>
  /** Due for delivery. */
  readonly due: Set<Kept>
  /** Delivered and not yet settled. */
  readonly out: Set<Kept>
  send: ((message: ToWorker) => void) | null
}

export function createKeptMessages({ clock }: { readonly clock: Clock }): KeptMessages {
  const boxes = new Map<string, Box>()
  let bytes = 0

  function boxOf(name: string): Box {
    const known = boxes.get(name) ?? { messages: new Map<string, Kept>(), due: new Set<Kept>(), out: new Set<Kept>(), send: null }
    boxes.set(name, known)
    return known
  }
  function empty(message: Kept): void {
    bytes -= message.data?.length ?? 0
    message.data = null
  }
  function forgetOld({ messages, due, out }: Box): void {
    for (const [id, message] of messages) {
      if (clock.monotonicMs() - message.since < KEPT_MS) return
      empty(message)
      message.cancelWait()
      messages.delete(id)
      due.delete(message)
      out.delete(message)
    }
  }
  function deliver(box: Box): void {
    forgetOld(box)
    for (const message of box.due) {
      if (box.send === null || box.out.size >= MESSAGES_AT_ONCE) return
      box.due.delete(message)
      if (message.data === null) continue
      box.out.add(message)
      message.deliveries += 1
      box.send({ type: 'deliver', id: message.id, data: message.data, isRepeated: message.deliveries > 1 })
    }
  }
  function makeDue(box: Box, message: Kept): void {
    box.due.add(message)
    deliver(box)
  }

  return {
    keep({ to, id, data }) {
      const box = boxOf(to)
      forgetOld(box)
      if (box.messages.has(id)) return true
      if (bytes + data.length > KEPT_BYTES_MAX) return false
      bytes += data.length
      // A copy: what was received is a view of a piece that may hold many other messages.
      const message: Kept = { id, since: clock.monotonicMs(), data: data.slice(), deliveries: 0, cancelWait: () => undefined }
      box.messages.set(id, message)
      makeDue(box, message)
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
      for (const message of box.out) box.due.add(message)
      box.out.clear()
    },
    settle(name, { id, isDone }) {
      const box = boxOf(name)
      const message = box.messages.get(id)
      if (message === undefined || !box.out.delete(message)) return
      if (isDone) empty(message)
      else {
        const waitMs = Math.min(AGAIN_MS_MAX, AGAIN_MS_MIN * 2 ** (message.deliveries - 1))
        message.cancelWait = clock.after(waitMs, () => makeDue(box, message))
      }
      deliver(box)
    }
  }
}
