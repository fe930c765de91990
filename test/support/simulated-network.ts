/** Buses of several nodes in one process and on one clock, with links that a test can cut. Behaves like a broker, but without delays. */
import { DomainError } from '../../src/domain/errors.js'
import type { NodeBus } from '../../src/ports.js'
import type { ManualClock } from './manual-clock.js'

export interface SimulatedNetwork {
  /** Returns the bus of one node. */
  busOf(nodeId: string): NodeBus
  /** Cuts a node's link to the broker, in one or both directions. `notices`: whether its client knows. */
  cut(nodeId: string, options?: { readonly direction?: 'both' | 'to' | 'from'; readonly notices?: boolean }): void
  heal(nodeId: string): void
  /** A node's connection was lost and re-established: its pending requests with `lineLost` are no longer answered. */
  loseLine(nodeId: string): void
  /** Ends a node's process: its topics are no longer served. */
  kill(nodeId: string): void
}

interface Line {
  toIsCut: boolean
  fromIsCut: boolean
  notices: boolean
  connections: number
}

interface Server {
  readonly nodeId: string
  readonly handler: (body: unknown, from: string) => Promise<unknown>
}

export function createSimulatedNetwork(clock: ManualClock): SimulatedNetwork {
  const lines = new Map<string, Line>()
  const served = new Map<string, Server>()
  const listeners = new Set<{
    readonly nodeId: string
    readonly topic: RegExp
    readonly listener: (body: unknown, topic: string) => void
  }>()
  const asked = new Set<{ readonly nodeId: string; readonly lose: () => void }>()
  const lineOf = (nodeId: string): Line => {
    const line = lines.get(nodeId) ?? { toIsCut: false, fromIsCut: false, notices: false, connections: 1 }
    lines.set(nodeId, line)
    return line
  }
  const unreachable = () => new DomainError('unreachable', 'Nobody answers here at the moment')

  function busOf(nodeId: string): NodeBus {
    const line = lineOf(nodeId)
    const refuseWhenNoticed = () => {
      if (line.notices && (line.toIsCut || line.fromIsCut)) throw unreachable()
    }
    return {
      serve(topic, handler) {
        served.set(topic, { nodeId, handler })
        return () => {
          if (served.get(topic)?.handler === handler) served.delete(topic)
        }
      },
      async request(topic, body, { deadlineMs, signal, lineLost }) {
        refuseWhenNoticed()
        const server = served.get(topic)
        if (!line.toIsCut && server === undefined) throw unreachable()
        return new Promise((resolve, reject) => {
          const late = () => reject(new DomainError('deadline_passed', 'No answer came in time'))
          const cancel = clock.after(deadlineMs, late)
          signal?.addEventListener('abort', late)
          if (lineLost !== undefined)
            asked.add({
              nodeId,
              lose() {
                lineLost()
                late()
              }
            })
          if (line.toIsCut || server === undefined || lineOf(server.nodeId).fromIsCut) return
          const isLost = () => lineOf(server.nodeId).toIsCut || line.fromIsCut || served.get(topic) !== server
          const settle = (outcome: () => void) => {
            if (isLost()) return
            cancel()
            outcome()
          }
          server.handler(structuredClone(body), nodeId).then(
            (answer) => settle(() => resolve(structuredClone(answer))),
            (error: unknown) => settle(() => reject(error))
          )
        })
      },
      publish(topic, body) {
        if (line.toIsCut) return
        for (const entry of listeners) {
          if (!entry.topic.test(topic) || lineOf(entry.nodeId).fromIsCut) continue
          const copy = structuredClone(body)
          queueMicrotask(() => entry.listener(copy, topic))
        }
      },
      subscribe(topic, listener) {
        const entry = { nodeId, topic: new RegExp(`^${topic.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`), listener }
        listeners.add(entry)
        return () => listeners.delete(entry)
      },
      async check() {
        if (line.toIsCut || line.fromIsCut) throw unreachable()
      },
      connections: () => line.connections,
      outbox: { append: () => Promise.reject(unreachable()), take: () => () => undefined },
      async close() {
        kill(nodeId)
      }
    }
  }

  function kill(nodeId: string): void {
    for (const [topic, server] of served) if (server.nodeId === nodeId) served.delete(topic)
    for (const entry of listeners) if (entry.nodeId === nodeId) listeners.delete(entry)
    Object.assign(lineOf(nodeId), { toIsCut: true, fromIsCut: true })
  }

  return {
    busOf,
    cut(nodeId, { direction = 'both', notices = false } = {}) {
      Object.assign(lineOf(nodeId), { toIsCut: direction !== 'from', fromIsCut: direction !== 'to', notices })
    },
    loseLine(nodeId) {
      lineOf(nodeId).connections += 1
      for (const one of asked) {
        if (one.nodeId !== nodeId) continue
        asked.delete(one)
        one.lose()
      }
    },
    heal(nodeId) {
      Object.assign(lineOf(nodeId), { toIsCut: false, fromIsCut: false, notices: false })
    },
    kill
  }
}
