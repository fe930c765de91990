/** Messages between parts of one process. Bodies are passed by reference: a sender never changes one after sending it. */
import { late } from '../domain/errors.js'
import type { Bus, Clock } from '../ports.js'
import { withTimeLimit } from '../time-limit.js'
import { unreachable } from './refusals.js'

/** Creates a bus without a network. The deadline of a `request` is kept by `clock`; a late answer is dropped. */
export function createInProcessBus(options: { clock: Clock }): Bus {
  const { clock } = options
  const handlers = new Map<string, (body: unknown) => Promise<unknown>>()
  const listeners = new Map<string, Set<(body: unknown, topic: string) => void>>()

  return {
    serve(topic, handler) {
      if (handlers.has(topic)) throw new Error('This topic is served already')
      handlers.set(topic, handler)
      return () => {
        if (handlers.get(topic) === handler) handlers.delete(topic)
      }
    },
    request(topic, body, { deadlineMs }) {
      const handler = handlers.get(topic)
      return handler === undefined ? Promise.reject(unreachable()) : withTimeLimit(handler(body), { clock, limitMs: deadlineMs, late })
    },
    publish(topic, body) {
      for (const listener of listeners.get(topic) ?? []) queueMicrotask(() => listener(body, topic))
    },
    subscribe(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && listeners.get(topic) === known) listeners.delete(topic)
      }
    },
    async close() {
      handlers.clear()
      listeners.clear()
    }
  }
}
